import { useQuery } from '@tanstack/react-query'
import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import userEvent from '@testing-library/user-event'
import { followMs } from '@/shared/gql'
import { renderInPanel, testQueryClient } from '@/shared/testing/render'
import { agentExportsQuery } from '../queries'
import { ChannelsPanel } from './ChannelsPanel'

/** The panel on a page of its own, with another page before it and one that it links to. */
export function open() {
  const Page = () => {
    const { data } = useQuery({ ...agentExportsQuery('a1'), refetchInterval: followMs })
    return data && <ChannelsPanel agent={data.agent} />
  }
  const root = createRootRoute()
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: '/agent', component: Page }),
    createRoute({ getParentRoute: () => root, path: '/before', component: () => <p>Before</p> }),
    createRoute({ getParentRoute: () => root, path: '/exports', component: () => <p>Exports</p> }),
  ])
  // The browser's own history: the one in memory cannot be blocked on the way back.
  window.history.replaceState(null, '', '/before')
  const history = createBrowserHistory()
  history.push('/agent')
  history.flush()
  const router = createRouter({ routeTree, history })
  const queryClient = testQueryClient()
  // The route tree of this test is not the panel's, whose type the provider expects.
  renderInPanel(<RouterProvider router={router as never} />, queryClient)
  return { router, queryClient, user: userEvent.setup() }
}
