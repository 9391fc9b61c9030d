import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { Reauthentication, useSessionEvents } from '@/features/auth'
import { UnknownPage } from '@/features/shell'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: UnknownPage,
})

function Root() {
  useSessionEvents()
  return (
    <>
      <Reauthentication />
      <Outlet />
    </>
  )
}
