import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { renderInPanel, testQueryClient } from '@/shared/testing/render'
import { makeRouter } from '../router'

/** Renders the whole panel at a path, with the real routes. */
export function renderApp(address: string) {
  const queryClient = testQueryClient()
  const router = makeRouter(queryClient, createMemoryHistory({ initialEntries: [address] }))
  return { router, queryClient, ...renderInPanel(<RouterProvider router={router} />, queryClient) }
}
