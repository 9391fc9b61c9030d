// Writes the type of all strings, src/locales/en/namespaces.gen.ts. Each JSON file next to it is a namespace.
import { readdirSync, writeFileSync } from 'node:fs'

const folder = 'src/locales/en'
export const namespacesFile = `${folder}/namespaces.gen.ts`

export function namespaces() {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort()
  return [
    '// Written by npm run codegen.',
    ...names.map((name) => `import type ${name} from './${name}.json'`),
    '',
    'export type Namespaces = {',
    ...names.map((name) => `  ${name}: typeof ${name}`),
    '}',
    '',
  ].join('\n')
}

if (process.argv.includes('--write')) writeFileSync(namespacesFile, namespaces())
