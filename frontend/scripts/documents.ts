import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const generated = new URL('../src/gql/graphql.ts', import.meta.url)
const call = /\bgraphql\(\s*`\s*(query|mutation|subscription|fragment)\s+(\w+)[^`]*`\s*,?\s*\)/g
const document = /export const (\w+) = (new TypedDocumentString\([\s\S]*?\)) as unknown as/g

/**
 * Inlines each GraphQL document where it is used. The generated graphql() looks documents up in one map, which would add all of
 * them twice to every page.
 */
export function inlineDocuments(): Plugin {
  return {
    name: 'inline-graphql-documents',
    enforce: 'pre',
    transform(code, id) {
      const file = id.split('?')[0] ?? ''
      if (!file.includes('/src/') || !/\.tsx?$/.test(file)) return null
      if (file.endsWith('/src/gql/graphql.ts')) {
        return {
          code: code.replaceAll('= new TypedDocumentString(', '= /*#__PURE__*/ new TypedDocumentString('),
          map: null,
        }
      }
      if (file.includes('/src/gql/') || !code.includes('graphql(`')) return null
      const documents = new Map(
        Array.from(readFileSync(generated, 'utf8').matchAll(document), ([, name, value]) => [name, value]),
      )
      const inlined = code.replace(call, (_, kind: string, name: string) => {
        const value = documents.get(`${name}${kind === 'fragment' ? 'FragmentDoc' : 'Document'}`)
        if (!value) return this.error(`${name} is not in src/gql: run npm run codegen`)
        return `/*#__PURE__*/ ${value.replace('TypedDocumentString', 'InlinedDocument')}`
      })
      return { code: `import { TypedDocumentString as InlinedDocument } from '@/gql/graphql';${inlined}`, map: null }
    },
  }
}
