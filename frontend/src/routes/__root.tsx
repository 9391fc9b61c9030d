import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, defaultParseSearch, Outlet, redirect } from '@tanstack/react-router'
import { Reauthentication, useSessionEvents } from '@/features/auth'
import { UnknownPage, useNavigationGuard } from '@/features/shell'
import { movedTo } from '@/moved'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  beforeLoad: ({ location: { pathname, search, hash } }) => {
    const [to, more = ''] = movedTo(pathname)?.split('?') ?? []
    if (to) throw redirect({ to: to as '/', search: { ...search, ...defaultParseSearch(more) }, hash, replace: true })
  },
  component: Root,
  notFoundComponent: UnknownPage,
})

function Root() {
  useSessionEvents()
  useNavigationGuard()
  return (
    <>
      <Reauthentication />
      <Outlet />
    </>
  )
}
