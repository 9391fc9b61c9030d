import { readdirSync } from 'node:fs'
import type { Plugin } from 'vite'

const folder = new URL('../src/locales/en/', import.meta.url)
const prefix = 'virtual:strings/'
const uses = /\buseTranslation\(([^)]*)\)|\bgetFixedT\(null, ('\w+')|\bns: ('\w+')|\bt\((['`]\w+):/g

/** Imports the strings that a module uses, so that they are in its chunk, and there before it renders. */
export function strings(): Plugin {
  const names = new Set(readdirSync(folder).map((file) => file.replace(/\.json$/, '')))
  return {
    name: 'strings',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(prefix) ? { id: `\0${id}`, moduleSideEffects: true } : null),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null
      const name = id.slice(prefix.length + 1)
      return `import { addStrings } from '@/shared/i18n'
import strings from '@/locales/en/${name}.json'
addStrings('${name}', strings)`
    },
    transform(code, id) {
      if (!/[\\/]src[\\/].*\.tsx?(\?|$)/.test(id) || id.includes('node_modules')) return null
      const used = Array.from(code.matchAll(uses), (use) => use.slice(1).join(' '))
        .join(' ')
        .match(/\w+/g)
      const imports = [...new Set(used)].filter((name) => names.has(name)).map((name) => `import '${prefix}${name}';`)
      return imports.length > 0 ? { code: imports.join('') + code, map: null } : null
    },
  }
}
