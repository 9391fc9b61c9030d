// Fails if generated code is outdated: the GraphQL types in src/gql, and the type of the strings.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { namespaces, namespacesFile } from './namespaces.mjs'

const out = mkdtempSync(join(tmpdir(), 'panel-codegen-'))
try {
  execFileSync(
    process.execPath,
    ['node_modules/@graphql-codegen/cli/cjs/bin.js', '--config', 'codegen.ts', '--silent'],
    {
      env: { ...process.env, CODEGEN_OUT: `${out}/` },
      stdio: 'inherit',
    },
  )
  const files = readdirSync(out).sort()
  const stale = files.filter((name) => readFileSync(join(out, name), 'utf8') !== read(join('src/gql', name)))
  if (files.length === 0 || files.join() !== readdirSync('src/gql').sort().join() || stale.length > 0) {
    console.error(`src/gql is not up to date (${stale.join(', ')}): run npm run codegen`)
    process.exitCode = 1
  }
  if (read(namespacesFile) !== namespaces()) {
    console.error(`${namespacesFile} is not up to date: run npm run codegen`)
    process.exitCode = 1
  }
} finally {
  rmSync(out, { recursive: true, force: true })
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
