import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
// @ts-expect-error: a script of the build, which is no TypeScript
import { budgets, checkBudget } from '../scripts/budget.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'panel-budget-'))
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A build whose parts have so many scripts and bytes, which do not compress. Returns its files by route. */
function build({ first = 1, all = 4, agents = 1_000, later = 1_000, explorer = 1_000 }) {
  const file = (name: string, size: number) => {
    writeFileSync(join(folder, 'assets', name), randomBytes(size))
    return { file: `assets/${name}` }
  }
  const page = (name: string, scripts: string[]) =>
    writeFileSync(join(folder, name), scripts.map((script) => `<script src="/assets/${script}">`).join(''))
  mkdirSync(join(folder, 'assets'))
  const others = Array.from({ length: all - first - 2 }, (_, at) => `later${at}.js`)
  const manifest = {
    shell: { ...file('shell.js', 100), imports: ['base'], dynamicImports: ['agents', ...others] },
    base: file('base.js', 100),
    agents: file('agents.js', agents),
    explorer: { ...file('explorer.js', explorer), imports: ['base'] },
    ...Object.fromEntries(others.map((name, at) => [name, file(name, at === 0 ? later : 10)])),
  }
  const more = Array.from({ length: first - 1 }, (_, at) => `first${at}.js`)
  for (const name of more) file(name, 10)
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  page('index.html', ['shell.js', ...more])
  page('explorer.html', ['explorer.js'])
  return { '/_app/agents/': ['assets/agents.js', 'assets/agents.css'] }
}

test.each([
  [{}, undefined],
  [{ all: budgets.scripts + 1 }, /^Over budget: scripts of the panel: 19, and 18 are allowed$/],
  [{ first: budgets.agents.scripts - 1, all: 18 }, /^Over budget: scripts of \/agents: 10, and 9 are allowed$/],
  [{ agents: budgets.agents.bytes }, /^Over budget: bytes of JavaScript for \/agents: 23\d+, and 230000 are allowed$/],
  [{ later: budgets.later + 1 }, /^Over budget: bytes of assets\/later0.js: 12\d+, and 120000 are allowed$/],
  [{ explorer: budgets.explorer + 1 }, /^Over budget: bytes that the explorer adds: 40\d+, and 400000 are allowed$/],
])('the budgets of a build with %o', (parts, problem) => {
  const files = build(parts)
  if (problem) expect(() => checkBudget(folder, files)).toThrow(problem)
  else checkBudget(folder, files)
})
