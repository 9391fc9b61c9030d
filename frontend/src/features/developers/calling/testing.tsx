import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderInPanel } from '@/shared/testing/render'
import { FirstRequest } from './FirstRequest'

/** Renders FirstRequest for an export, in a router. */
export function renderInRouter(exportId: string) {
  const routeTree = createRootRoute({ component: () => <FirstRequest exportId={exportId} /> })
  const router = createRouter({ routeTree, history: createMemoryHistory() })
  // The route tree of this test is not the panel's, whose type the provider expects.
  return renderInPanel(<RouterProvider router={router as never} />)
}
