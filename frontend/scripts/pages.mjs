import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the first segments of the panel's addresses, one a line: the service answers them with the panel, and others with 404. */
export function writePages(dist, routes = 'src/routes') {
  const names = ['', '_app'].flatMap((folder) => readdirSync(join(routes, folder)))
  const segments = names
    .filter((name) => !/^[_-]|\.test\./.test(name)) // the router leaves out "-"
    .map((name) => name.split('.')[0])
    .filter((name) => name !== 'index')
  writeFileSync(join(dist, 'pages.txt'), `${segments.sort().join('\n')}\n`)
}
