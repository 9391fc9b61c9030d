import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  useRouter,
  useSearch,
} from '@tanstack/react-router'
import userEvent from '@testing-library/user-event'
import { renderInPanel, testQueryClient } from '@/shared/testing/render'
import { Drawer } from '@/shared/ui'
import { ChannelsPanel, type ChannelsPanelProps } from './ChannelsPanel'

/** The panel in a drawer that closes by the address, as on the agent's page. */
export function open(props: Partial<ChannelsPanelProps> = {}) {
  function Page() {
    const { node } = useSearch({ strict: false }) as { node?: string }
    const { history } = useRouter()
    return (
      <Drawer opened={node === 'channels'} onClose={() => history.push('/agent')} position="right" title="Channels">
        <ChannelsPanel agentId="a1" agentName="Shop" agentState="LIVE" sandbox={false} narrow {...props} />
      </Drawer>
    )
  }
  const root = createRootRoute()
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: '/agent', component: Page }),
    createRoute({ getParentRoute: () => root, path: '/before', component: () => <p>Before</p> }),
  ])
  // The browser's own history: the one in memory cannot be blocked on the way back.
  window.history.replaceState(null, '', '/before')
  const history = createBrowserHistory()
  history.push('/agent?node=channels')
  history.flush()
  const router = createRouter({ routeTree, history })
  const queryClient = testQueryClient()
  // The route tree of this test is not the panel's, whose type the provider expects.
  renderInPanel(<RouterProvider router={router as never} />, queryClient)
  return { router, queryClient, user: userEvent.setup() }
}
