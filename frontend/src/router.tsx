import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { loadAllStrings } from '@/shared/i18n'
import { LoadingState, NotFound, RouteError } from '@/shared/ui'
import { routeTree } from './routeTree.gen'

/** The panel's router; a test gives it a history in memory. */
export function makeRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    context: { queryClient },
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: () => <LoadingState />,
    defaultPendingMs: 0, // the skeleton itself waits 150 ms
    defaultPendingMinMs: 0,
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}

/** How long after the start, when the page that was asked for is there. */
const calmMs = 3_000

/** Loads the code and the strings of the other pages in a calm moment: a service that goes away later takes none of them with it. */
export function loadAllPages(router: ReturnType<typeof makeRouter>) {
  setTimeout(() => {
    void loadAllStrings()
    for (const route of Object.values(router.routesById))
      void Promise.resolve(router.loadRouteChunk(route)).catch(() => {})
  }, calmMs)
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
