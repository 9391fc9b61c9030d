import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { useSessionEvents } from '@/features/auth'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Root })

function Root() {
  useSessionEvents()
  return <Outlet />
}
