import type { Plugin } from 'vite'

/** What the build does for the GraphQL explorer, which is a page of its own beside the panel's. */
export function explorer(): Plugin[] {
  return [address(), mended()]
}

/** The development server knows the page by its file's name; the service serves it as /explorer. */
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

/** What is changed of GraphiQL, by file. The version is pinned; a change that finds nothing to change fails the build. */
const mends: Record<string, (code: string) => string> = {
  // 360 KB of fonts. Without them the page's policy needs to allow none.
  'graphiql/dist/style.css': (code) => code.replace(/@font-face\s*\{[^}]*\}/g, ''),
  // What looks like an image's address in an answer is loaded and shown as soon as the pointer rests on it. Answers hold what
  // strangers wrote, so nothing is. The policy would refuse it as well, but with an error for each.
  '@graphiql/react/dist/editor/components/image-preview.js': (code) =>
    code.replace(/shouldRender\(token\) \{/, '$&\n    if (token) return false;'),
  // A tab holds two buttons, one to show it and one to close it, and a role "tab" hides both from screen readers. As items of
  // a list they are what they look like.
  '@graphiql/react/dist/ui/tabs.js': (code) =>
    code.replace('"aria-selected": isActive, role: "tab"', '"aria-current": isActive').replace('role: "tablist", ', ''),
}

function mended(): Plugin {
  const met = new Set<string>()
  return {
    name: 'explorer-mended',
    // The development server bundles packages by another way, and has no policy to keep to.
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]@?graphiql[\\/]/ },
      handler(code, id) {
        const path = id.split('?')[0]?.replaceAll('\\', '/') ?? ''
        const file = Object.keys(mends).find((name) => path.endsWith(`/node_modules/${name}`))
        if (!file) return null
        const changed = mends[file]?.(code) ?? code
        if (changed === code) return this.error(`GraphiQL's ${file} is not what it was: look at what is mended there`)
        met.add(file)
        return { code: changed, map: null }
      },
    },
    buildEnd(error) {
      const missed = Object.keys(mends).filter((file) => !met.has(file))
      if (!error && missed.length > 0) this.error(`GraphiQL has no ${missed.join(', ')} any more`)
    },
  }
}
