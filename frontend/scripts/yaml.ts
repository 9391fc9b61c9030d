import type { Plugin } from 'vite'
import { parse } from 'yaml'

/** Makes a YAML file an import: the build parses it, and the panel gets the data. */
export function yaml(): Plugin {
  return {
    name: 'yaml',
    transform: {
      filter: { id: /\.yaml$/ },
      handler: (code) => ({ code: `export default ${JSON.stringify(parse(code))}`, map: null }),
    },
  }
}
