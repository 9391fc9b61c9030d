// Checks the budgets of the build: the JavaScript of an interactive /agents, and the largest chunk loaded later. Sizes are gzipped.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export const budgets = {
  agents: 230_000,
  chunk: 120_000,
  /**
   * The limit of all files that the explorer adds. No page of the panel loads GraphiQL, so its chunks have no limits of their own.
   * This total catches an update or a wrong import that makes it much larger.
   */
  explorer: 400_000,
}
const panelEntry = 'index.html'
const explorerEntry = 'explorer.html'
/** The routes that /agents shows. */
const agentsRoutes = ['/_app', '/_app/agents/']

/** Checks a build, whose files by route scripts/files.mjs lists. */
export function checkBudget(folder, files) {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const size = (file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length
  const total = (files) => files.reduce((sum, file) => sum + size(file), 0)
  const problems = []

  const pageFiles = agentsRoutes.flatMap((route) => files[route]).filter((file) => file.endsWith('.js'))
  const agents = [...new Set([...scripts(manifest, [panelEntry], false), ...pageFiles])]
  const agentsTotal = total(agents)
  console.log(
    `/agents needs ${agentsTotal} of ${budgets.agents} bytes of gzipped JavaScript, in ${agents.length} files`,
  )
  if (agentsTotal > budgets.agents) {
    problems.push(`/agents needs ${agentsTotal} bytes of JavaScript; ${budgets.agents} are allowed`)
  }

  const panel = scripts(manifest, [panelEntry], true)
  for (const file of panel) {
    const bytes = size(file)
    if (bytes > budgets.chunk && !agents.includes(file)) {
      problems.push(`${file} has ${bytes} bytes; a chunk loaded later may have ${budgets.chunk}`)
    }
  }

  const explorer = scripts(manifest, [explorerEntry], true).filter((file) => !panel.includes(file))
  const explorerTotal = total(explorer)
  console.log(`the explorer adds ${explorerTotal} of ${budgets.explorer} bytes, in ${explorer.length} files`)
  if (explorer.length === 0) problems.push('the explorer has no files of its own. Does the panel load GraphiQL?')
  if (explorerTotal > budgets.explorer) {
    problems.push(`the explorer adds ${explorerTotal} bytes of JavaScript; ${budgets.explorer} are allowed`)
  }
  if (problems.length > 0) throw new Error(`Over budget: ${problems.join('; ')}`)
}

/** Returns the scripts that chunks need; with `later`, also those that they may load later. */
function scripts(manifest, keys, later) {
  const files = new Set()
  const need = (key) => {
    const chunk = manifest[key]
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of [...(chunk.imports ?? []), ...(later ? (chunk.dynamicImports ?? []) : [])]) need(imported)
  }
  keys.forEach(need)
  return [...files].filter((file) => file.endsWith('.js'))
}
