// Holds the build to its budgets: the JavaScript of an interactive /agents, and the largest chunk loaded later. Sizes are gzipped.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const agentsBudget = 230_000
const chunkBudget = 120_000
/** What /agents needs beside the page's own entry: the frame, the page, and its strings. */
const agentsNeeds = [
  /^index\.html$/,
  /routes\/_app\.tsx\?/,
  /routes\/_app\/agents\/index\.tsx\?/,
  /locales\/en\/agents\.json$/,
]

export function checkBudget(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const size = (file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length
  const needed = new Set()
  const need = (key) => {
    const chunk = manifest[key]
    if (needed.has(chunk.file)) return
    needed.add(chunk.file)
    for (const imported of chunk.imports ?? []) need(imported)
  }
  for (const pattern of agentsNeeds) {
    const keys = Object.keys(manifest).filter((key) => pattern.test(key))
    if (keys.length === 0) throw new Error(`The build has nothing like ${pattern}: has a route moved?`)
    keys.forEach(need)
  }
  const scripts = [...needed].filter((file) => file.endsWith('.js'))
  const total = scripts.reduce((sum, file) => sum + size(file), 0)
  console.log(`/agents needs ${total} of ${agentsBudget} bytes of gzipped JavaScript, in ${scripts.length} files`)
  const problems =
    total > agentsBudget ? [`/agents needs ${total} bytes of JavaScript; ${agentsBudget} are allowed`] : []
  for (const file of new Set(Object.values(manifest).map((chunk) => chunk.file))) {
    if (!file.endsWith('.js') || scripts.includes(file)) continue
    const bytes = size(file)
    if (bytes > chunkBudget) problems.push(`${file} has ${bytes} bytes; a chunk loaded later may have ${chunkBudget}`)
  }
  if (problems.length > 0) throw new Error(`Over budget: ${problems.join('; ')}`)
}
