import type { Plugin } from 'vite'

/** The build steps for the GraphQL explorer, a separate page beside the panel's. */
export function explorer(): Plugin[] {
  return [address(), patched()]
}

/** Serves explorer.html as /explorer on the development server, as the service does. */
function address(): Plugin {
  return {
    name: 'explorer-address',
    configureServer(server) {
      server.middlewares.use((request, _, next) => {
        request.url = request.url?.replace(/^\/explorer(?=$|[?#])/, '/explorer.html')
        next()
      })
    },
  }
}

/** Patches to GraphiQL, by file. The version is pinned; a patch that does not apply fails the build. */
const patches: Record<string, (code: string) => string> = {
  // 360 KB of fonts. Without them the page's policy need not allow fonts.
  'graphiql/dist/style.css': (code) => code.replace(/@font-face\s*\{[^}]*\}/g, ''),
  // GraphiQL previews image addresses in answers on hover. Answers contain strangers' text, so nothing may be loaded. The policy
  // would block it too, but with an error for each.
  '@graphiql/react/dist/editor/components/image-preview.js': (code) =>
    code.replace(/shouldRender\(token\) \{/, '$&\n    if (token) return false;'),
  // A tab contains two buttons, to show and to close it; the role "tab" would hide both from screen readers. As list items
  // they are accessible.
  '@graphiql/react/dist/ui/tabs.js': (code) =>
    code.replace('"aria-selected": isActive, role: "tab"', '"aria-current": isActive').replace('role: "tablist", ', ''),
}

function patched(): Plugin {
  const met = new Set<string>()
  return {
    name: 'explorer-patched',
    // The development server bundles packages differently, and has no content policy.
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]@?graphiql[\\/]/ },
      handler(code, id) {
        const path = id.split('?')[0]?.replaceAll('\\', '/') ?? ''
        const file = Object.keys(patches).find((name) => path.endsWith(`/node_modules/${name}`))
        if (!file) return null
        const changed = patches[file]?.(code) ?? code
        if (changed === code) return this.error(`GraphiQL's ${file} has changed: check its patch`)
        met.add(file)
        return { code: changed, map: null }
      },
    },
    buildEnd(error) {
      const missed = Object.keys(patches).filter((file) => !met.has(file))
      if (!error && missed.length > 0) this.error(`GraphiQL no longer has ${missed.join(', ')}`)
    },
  }
}
