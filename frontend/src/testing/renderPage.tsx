import {
  type AnyRoute,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useViewer } from '@/features/auth'
import { renderInPanel, testQueryClient } from '@/shared/testing/render'
import { routeTree } from '../routeTree.gen'

/**
 * Renders the page at an address with the account, the role and the session, but without the layout around signed-in pages.
 * `parts` replaces whole pages, by the ID of their route, with the part that the test is about.
 */
export function renderPage(address: string, parts: Record<string, ComponentType> = {}) {
  const queryClient = testQueryClient()
  const history = createMemoryHistory({ initialEntries: [address] })
  const root = createRootRoute({ component: routeTree.options.component })
  const router = createRouter({
    routeTree: root.addChildren(copies(routeTree, root, parts)),
    history,
    defaultPendingMs: 0,
  })
  // The type of the panel's own tree, whose paths these are.
  return { router, queryClient, ...renderInPanel(<RouterProvider router={router as never} />, queryClient) }
}

/** Copies a tree of routes below another parent. The layout of signed-in pages only waits for the account. */
function copies({ children = {} }: AnyRoute, parent: AnyRoute, parts: Record<string, ComponentType>): AnyRoute[] {
  return Object.values(children as Record<string, AnyRoute>).map((route) => {
    const options = route.options as { id: string }
    const part = parts[options.id]
    const own = part ? { ...options, component: part } : options
    const page = options.id === '/_app' ? { id: options.id, component: Account } : own
    const copy = createRoute({ getParentRoute: () => parent } as never) as AnyRoute
    copy.update({ ...page, getParentRoute: () => parent } as never)
    return copy.addChildren(copies(route, copy, parts))
  })
}

function Account() {
  return useViewer().data ? <Outlet /> : null
}
