import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

/** A build whose parts have so many bytes, which do not compress. Returns its files by route. */
function build({ agents = 1_000, later = 1_000, explorer = 1_000 }) {
  const file = (name: string, size: number) => {
    writeFileSync(join(folder, name), randomBytes(size))
    return { file: name }
  }
  const routes = ['src/routes/_app.tsx?tsr', 'src/routes/_app/agents/index.tsx?tsr', 'src/locales/en/agents.json']
  const manifest = {
    'index.html': { ...file('index.js', 100), dynamicImports: [...routes, 'later'] },
    later: file('later.js', later),
    'explorer.html': file('explorer.js', explorer),
    ...Object.fromEntries(routes.map((route, at) => [route, file(`${at}.js`, at === 1 ? agents : 100)])),
  }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  return { '/_app': ['0.js'], '/_app/agents/': ['1.js', '2.js'] }
}

test.each([
  [{}, undefined],
  [{ agents: budgets.agents + 1 }, /^Over budget: \/agents needs 23\d+ bytes of JavaScript; 230000 are allowed$/],
  [{ later: budgets.chunk + 1 }, /^Over budget: later.js has 12\d+ bytes; a chunk loaded later may have 120000$/],
  [{ explorer: budgets.explorer + 1 }, /^Over budget: the explorer adds 40\d+ bytes/],
])('acceptance 18: the budgets of a build with %o', (parts, problem) => {
  const files = build(parts)
  if (problem) expect(() => checkBudget(folder, files)).toThrow(problem)
  else checkBudget(folder, files)
})
