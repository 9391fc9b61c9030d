import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes the first segments of the panel's addresses, including old ones, one per line. The service answers these addresses with the
 * panel, and all others with 404.
 */
export function writePages(dist, routes = 'src/routes', moved = 'src/moved.json') {
  const names = ['', '_app'].flatMap((folder) => readdirSync(join(routes, folder)))
  const segments = names
    .filter((name) => !/^[_-]|\.test\./.test(name)) // the router ignores "-"
    .map((name) => name.split('.')[0])
    .filter((name) => name !== 'index')
  const old = Object.keys(JSON.parse(readFileSync(moved, 'utf8'))).map((address) => address.split('/')[1])
  writeFileSync(join(dist, 'pages.txt'), `${[...new Set([...segments, ...old])].sort().join('\n')}\n`)
}
