import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const panelEntry = 'index.html'

/** Returns the scripts that a page of the build loads by itself. */
export const scriptsOf = (dist, page) =>
  Array.from(readFileSync(join(dist, page), 'utf8').matchAll(/"\/(assets\/[^"]+\.js)"/g), ([, file]) => file)

/** Reads the manifest of a build: its chunks by file. What a chunk imports, it names by keys. */
export function readManifest(dist) {
  const byKey = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'))
  const files = (keys = []) => keys.map((key) => byKey[key].file)
  return new Map(
    Object.values(byKey).map(({ file, isEntry, css = [], imports, dynamicImports }) => [
      file,
      { isEntry, css, imports: files(imports), later: files(dynamicImports) },
    ]),
  )
}

/** Adds scripts and what they import to `found`; with `later`, also what they may load later. */
export function closure(manifest, scripts, { later = false, found = new Set() } = {}) {
  for (const script of scripts) {
    const chunk = manifest.get(script)
    if (!chunk || found.has(script)) continue
    found.add(script)
    closure(manifest, later ? [...chunk.imports, ...chunk.later] : chunk.imports, { later, found })
  }
  return found
}

/**
 * Lists the scripts and styles that each route needs besides those of every page, by the route's ID. The panel fetches them before
 * it opens a page: see src/shared/navigation/files.ts.
 */
export function filesByRoute(dist, output) {
  const manifest = readManifest(dist)
  const first = closure(manifest, scriptsOf(dist, panelEntry))
  const files = {}
  for (const { fileName, moduleIds = [] } of output) {
    for (const id of moduleIds.filter((id) => id.endsWith('?tsr-split=component'))) {
      const [, route] = /createFileRoute\('([^']+)'\)/.exec(readFileSync(id.split('?')[0], 'utf8')) ?? []
      if (!route) throw new Error(`${id} does not name its route`)
      const scripts = [...closure(manifest, [fileName])].filter((script) => !first.has(script))
      files[route] = [...new Set(scripts.flatMap((script) => [script, ...manifest.get(script).css]))]
    }
  }
  return files
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
