import type { Plugin } from 'vite'
import { parse } from 'yaml'

/** Lets the panel import a YAML file as data: the build parses it. */
export function yaml(): Plugin {
  return {
    name: 'yaml',
    transform: {
      filter: { id: /\.yaml$/ },
      handler: (code) => ({ code: `export default ${JSON.stringify(parse(code))}`, map: null }),
    },
  }
}
