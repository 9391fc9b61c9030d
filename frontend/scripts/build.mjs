// Builds the panel into dist, after removing everything there except the committed placeholder.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { checkBudget } from './budget.mjs'
import { compress } from './compress.mjs'
import { filesByRoute, writeFiles } from './files.mjs'
import { writePages } from './pages.mjs'

for (const name of readdirSync('dist')) {
  if (name !== 'placeholder.html') rmSync(join('dist', name), { recursive: true })
}
const { output } = await build()
const files = filesByRoute('dist', output)
writePages('dist')
writeFiles('dist', files)
checkBudget('dist', files)
compress('dist')
