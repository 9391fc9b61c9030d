// Checks the budgets of the build: the number of scripts, and their JavaScript, gzipped.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { closure, readManifest, scriptsOf } from './files.mjs'

export const budgets = {
  /** The scripts of the panel. */
  scripts: 18,
  /** What /agents needs until it can be used. */
  agents: { scripts: 9, bytes: 230_000 },
  /** A script that is loaded later. */
  later: 120_000,
  /**
   * The limit of all files that the explorer adds. No page of the panel loads GraphiQL, so its chunks have no limits of their own.
   * This total catches an update or a wrong import that makes it much larger.
   */
  explorer: 400_000,
}

/** Checks a build, whose files by route scripts/files.mjs lists. */
export function checkBudget(folder, files) {
  const manifest = readManifest(folder)
  const size = (file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length
  const total = (files) => files.reduce((sum, file) => sum + size(file), 0)
  const problems = []
  const check = (what, amount, limit) => {
    console.log(`${what}: ${amount} of ${limit}`)
    if (amount > limit) problems.push(`${what}: ${amount}, and ${limit} are allowed`)
  }

  const first = scriptsOf(folder, 'index.html')
  const panel = [...new Set([...first, ...closure(manifest, first, { later: true })])]
  const ofAgents = files['/_app/agents/'].filter((file) => file.endsWith('.js'))
  const agents = [...new Set([...first, ...closure(manifest, first), ...ofAgents])]
  check('scripts of the panel', panel.length, budgets.scripts)
  check('scripts of /agents', agents.length, budgets.agents.scripts)
  check('bytes of JavaScript for /agents', total(agents), budgets.agents.bytes)
  for (const file of panel.filter((file) => !agents.includes(file)))
    check(`bytes of ${file}`, size(file), budgets.later)

  const explorer = [...closure(manifest, scriptsOf(folder, 'explorer.html'), { later: true })].filter(
    (file) => file.endsWith('.js') && !panel.includes(file),
  )
  if (explorer.length === 0) problems.push('the explorer has no files of its own. Does the panel load GraphiQL?')
  check('bytes that the explorer adds', total(explorer), budgets.explorer)
  // A page runs all that its scripts import. Another entry among them is the panel.
  const ran = [...closure(manifest, scriptsOf(folder, 'explorer.html'))].filter((file) => manifest.get(file).isEntry)
  if (ran.length > 1) problems.push(`the explorer runs the panel: ${ran.join(', ')}`)
  if (problems.length > 0) throw new Error(`Over budget: ${problems.join('; ')}`)
}
