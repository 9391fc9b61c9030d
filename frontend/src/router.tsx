import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { NotFound, PageSkeleton, RouteError } from '@/shared/ui'
import { routeTree } from './routeTree.gen'

/** The panel's router. Tests pass an in-memory history. */
export function makeRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    context: { queryClient },
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: PageSkeleton,
    defaultPendingMs: 0, // the skeleton itself appears after 150 ms
    defaultPendingMinMs: 0,
    scrollRestoration: true,
  })
}

/**
 * Keeps the page when a part of the panel cannot be fetched. The router recognizes such an error by the start of its message, and would
 * reload the page at once, which fails while the service is unreachable. RouteError shows the error instead.
 */
export function keepPageWithoutParts() {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = `A part of the panel is missing: ${payload.message}`
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
