import { defaultParseSearch, redirect } from '@tanstack/react-router'

/** The path to go to after signing in. Anything outside this panel becomes the home page. */
export function safeNext(next: string | undefined): string {
  if (!next?.startsWith('/') || /^\/[/\\]/.test(next)) return '/'
  try {
    const url = new URL(next, window.location.origin)
    return url.origin === window.location.origin ? url.pathname + url.search + url.hash : '/'
  } catch {
    return '/'
  }
}

/** The paths of this origin that are separate pages, not routes of the panel. */
const otherPages = new Set(['/explorer'])

/**
 * The redirect to `next`, for a route's beforeLoad. A redirect by `href` alone would reload the whole page. What no server may see, the
 * token of a link, waits in the fragment of the sign-in page.
 */
export function redirectToNext(next: string | undefined, fragment = '') {
  const url = new URL(safeNext(next), window.location.origin)
  if (fragment) url.hash = fragment
  const { pathname, search, hash } = url
  if (otherPages.has(pathname)) return redirect({ href: pathname + search + hash, reloadDocument: true, replace: true })
  return redirect({ to: pathname as '/', search: defaultParseSearch(search), hash: hash.slice(1), replace: true })
}
