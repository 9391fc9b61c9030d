import type { Plugin } from 'vite'
import { parse } from 'yaml'

/** Parses YAML files at build time, so that the panel can import them as data. */
export function yaml(): Plugin {
  return {
    name: 'yaml',
    transform: {
      filter: { id: /\.yaml$/ },
      handler: (code) => ({ code: `export default ${JSON.stringify(parse(code))}`, map: null }),
    },
  }
}
