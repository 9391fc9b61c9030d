import { Drawer } from '@mantine/core'
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
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { version, versionPages } from '@/shared/testing/versions'
import { ChannelsPanel, type ChannelsPanelProps } from './ChannelsPanel'

export const apiKey = 'agc_the-whole-secret-0001'

export type Row = ReturnType<typeof row>

export function row(id: string, name: string, lastUsedAt: string | null = null) {
  return {
    id,
    name,
    state: 'ACTIVE',
    createdAt: inMinutes(-60),
    removedAt: null as string | null,
    expiresAt: null as string | null,
    lastUsedAt,
    rateLimitPerMinute: 600,
    version: null as number | null,
    dailyCreditLimit: null as number | null,
    monthlyCreditLimit: null as number | null,
    creditsUsedToday: 0,
    creditsUsedThisMonth: 0,
    requireUserId: false,
    userDailyMessageLimit: null as number | null,
    keys: [{ id: `key-${id}`, hint: `agc_…${id}` }],
  }
}

/** A service that keeps the exports of one agent. */
export function service(rows: Row[] = [], onUpdate?: (input: Partial<Row>) => void, published = version(3)) {
  const find = (id: string) => rows.find((one) => one.id === id) as Row
  answer({
    agent: () => ({
      id: 'a1',
      exports: rows,
      publishedVersion: published,
      versions: versionPages([version(3), version(2, { note: 'Kinder' }), version(1)]),
    }),
    createApiExport: ({ input: { agentId, ...given } }: { input: { agentId: string; name?: string } }) => {
      const made = { ...row(`n${rows.length}`, 'API export'), ...given }
      rows.push(made)
      return { apiKey, export: made }
    },
    updateApiExport: ({ input }: { input: Partial<Row> & { id: string } }) => {
      if (input.name === 'taken') {
        throw refusal('BAD_USER_INPUT', 'No.', {
          fields: [{ path: 'name', reason: 'taken', message: 'Not that name.' }],
        })
      }
      if (input.dailyCreditLimit === 13) {
        throw refusal('BAD_USER_INPUT', 'No.', {
          fields: [{ path: 'dailyCreditLimit', reason: 'unlucky', message: 'Not that limit.' }],
        })
      }
      onUpdate?.(input)
      return { export: Object.assign(find(input.id), input) }
    },
    pauseApiExport: ({ input }: { input: { id: string } }) => ({
      export: Object.assign(find(input.id), { state: 'PAUSED' }),
    }),
    resumeApiExport: ({ input }: { input: { id: string } }) => ({
      export: Object.assign(find(input.id), { state: 'ACTIVE' }),
    }),
    removeApiExport: ({ input }: { input: { id: string } }) => ({
      export: Object.assign(find(input.id), { state: 'REMOVED', removedAt: inMinutes(0) }),
    }),
  })
  return rows
}

/** The panel in a drawer that closes by the address, as on the agent's page. */
export function open(props: Partial<ChannelsPanelProps> = {}) {
  function Page() {
    const { node } = useSearch({ strict: false }) as { node?: string }
    const { history } = useRouter()
    return (
      <Drawer opened={node === 'channels'} onClose={() => history.push('/agent')} title="Channels">
        <ChannelsPanel agentId="a1" agentName="Shop" agentState="LIVE" sandbox={false} {...props} />
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
