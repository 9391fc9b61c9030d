import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderInPanel } from '@/shared/testing/render'
import { Arrival } from './Arrival'

/** The wait for the first request of an export, in a page that knows addresses. */
export function renderInRouter(exportId: string) {
  const routeTree = createRootRoute({ component: () => <Arrival exportId={exportId} /> })
  const router = createRouter({ routeTree, history: createMemoryHistory() })
  // The route tree of this test is not the panel's, whose type the provider expects.
  return renderInPanel(<RouterProvider router={router as never} />)
}
