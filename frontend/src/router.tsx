import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { loadAllStrings } from '@/shared/i18n'
import { LoadingState, NotFound, RouteError } from '@/shared/ui'
import { routeTree } from './routeTree.gen'

/** The panel's router. Tests pass an in-memory history. */
export function makeRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    context: { queryClient },
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: () => <LoadingState />,
    defaultPendingMs: 0, // the skeleton itself appears after 150 ms
    defaultPendingMinMs: 0,
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}

/** How long after the start to load the rest. */
const calmMs = 3_000

/** Loads the code and strings of the other pages in the background, so that they work even if the service becomes unreachable. */
export function loadAllPages(router: ReturnType<typeof makeRouter>) {
  setTimeout(() => {
    void loadAllStrings()
    for (const route of Object.values(router.routesById))
      void Promise.resolve(router.loadRouteChunk(route)).catch(() => {})
  }, calmMs)
}

/**
 * Keeps the page when a part of the panel cannot be fetched. The router knows such an error by how its message begins, and would load
 * the page anew at once, which loses it while the service is unreachable. RouteError shows it instead.
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
