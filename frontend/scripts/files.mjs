import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const panelEntry = 'index.html'

/**
 * Lists the scripts, styles and strings that each route needs besides those of every page, by the route's ID. The panel fetches
 * them before it opens a page: see src/shared/navigation/files.ts.
 */
export function filesByRoute(dist, output) {
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'))
  const modulesOf = new Map(
    output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk.moduleIds]),
  )

  /** The keys of a chunk and of what it imports, but not those of `known`. */
  const closure = (key, known = new Set(), keys = new Set()) => {
    if (known.has(key) || keys.has(key)) return keys
    keys.add(key)
    for (const imported of manifest[key].imports ?? []) closure(imported, known, keys)
    return keys
  }
  const entry = closure(panelEntry)

  const files = {}
  for (const key of Object.keys(manifest).filter((key) => key.endsWith('?tsr-split=component'))) {
    const [, route] = /createFileRoute\('([^']+)'\)/.exec(sourceOf(key)) ?? []
    if (!route) throw new Error(`${key} does not name its route`)
    const keys = closure(key, entry)
    const modules = [...keys].flatMap((key) => modulesOf.get(manifest[key].file))
    for (const name of stringsOf(modules)) {
      const strings = `src/locales/en/${name}.json`
      if (strings in manifest) closure(strings, entry, keys) // the others are in the entry
    }
    files[route] = [...new Set([...keys].flatMap((key) => [manifest[key].file, ...(manifest[key].css ?? [])]))]
  }
  return files
}

const sourceOf = (id) => readFileSync(id.split('?')[0], 'utf8')

/** Returns the names of the strings that modules use. */
function stringsOf(ids) {
  const calls = ids
    .filter((id) => /\/src\/.*\.tsx?(\?|$)/.test(id))
    .flatMap((id) => [...sourceOf(id).matchAll(/useTranslation\(([^)]+)\)/g)])
  return new Set(calls.flatMap(([, names]) => [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name)))
}

/** Writes the list, and names it in the page. Its name changes with any file of a route, so the page knows when it is out of date. */
export function writeFiles(dist, files) {
  const list = JSON.stringify(
    Object.fromEntries(Object.entries(files).map(([route, names]) => [route, names.map((name) => `/${name}`)])),
  )
  const name = `assets/files-${createHash('sha256').update(list).digest('base64url').slice(0, 8)}.json`
  writeFileSync(join(dist, name), list)
  const page = join(dist, panelEntry)
  const html = readFileSync(page, 'utf8')
  writeFileSync(page, html.replace('</head>', `  <meta name="panel-files" content="/${name}" />\n  </head>`))
}
