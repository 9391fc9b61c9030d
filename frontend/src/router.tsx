import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
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

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
