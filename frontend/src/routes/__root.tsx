import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  defaultParseSearch,
  Outlet,
  redirect,
  useRouterState,
} from '@tanstack/react-router'
import { Reauthentication, useSessionEvents } from '@/features/auth'
import { UnknownPage, useFirstQueries, useNavigationGuard } from '@/features/shell'
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
  useFirstQueries(useRouterState({ select: ({ matches }) => !matches.some(({ routeId }) => routeId === '/_app') }))
  return (
    <>
      <Reauthentication />
      <Outlet />
    </>
  )
}
