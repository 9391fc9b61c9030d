import type { CodegenConfig } from '@graphql-codegen/cli'

// The panel's types come from the server's own schema. `npm run codegen` writes src/gql; the result is committed.
const config: CodegenConfig = {
  schema: '../graph/schema/*.graphqls',
  documents: ['src/**/*.{ts,tsx}', '!src/gql/**', '!src/**/*.test.{ts,tsx}'],
  generates: {
    [process.env.CODEGEN_OUT ?? './src/gql/']: {
      preset: 'client',
      presetConfig: { fragmentMasking: { unmaskFunctionName: 'readFragment' } },
      config: {
        documentMode: 'string',
        enumsAsTypes: true,
        useTypeImports: true,
        defaultScalarType: 'unknown',
        scalars: { DateTime: 'string', Credits: 'number', Count: 'number', Upload: 'Blob' },
      },
    },
  },
  ignoreNoDocuments: true,
}

export default config
