import type { CodegenConfig } from '@graphql-codegen/cli'

const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: 'codegen.test.ts',
  generates: { '__generated__/gql/': { preset: 'client', config: { useTypeImports: true } } },
  emitLegacyCommonJSImports: false,
}
export default config
