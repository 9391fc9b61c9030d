import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes } from '@/shared/testing/server'
import { apiKey, exportRow, exportService } from '@/testing/exportService'
import { renderPage } from '@/testing/renderPage'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.signedOut())

const someAgent = '00000000-0000-4000-8000-000000000001'

type Filter = { state?: string; inUse?: boolean; search?: string; agentId?: string }
type Order = { field: string; direction: string }
type Arguments = { first: number; after?: string; filter: Filter; orderBy?: Order }

/** An account with many exports, every third of which is removed. */
function service(count: number) {
  const rows = Array.from({ length: count }, (_, i) => ({
    id: `e${i}`,
    name: `Export ${i}`,
    state: i % 3 === 2 ? 'REMOVED' : 'ACTIVE',
    createdAt: inMinutes(-60),
    removedAt: i % 3 === 2 ? inMinutes(-121) : null,
    lastUsedAt: null,
    expiresAt: i === 0 ? inMinutes(50 * 60) : i === 1 ? inMinutes(31 * 24 * 60) : null,
    rateLimitPerMinute: 600,
    dailyCreditLimit: i === 1 ? 500 : null,
    monthlyCreditLimit: [2_000, 1_000][i] ?? null,
    creditsUsedToday: 120,
    creditsUsedThisMonth: 990,
    requireUserId: false,
    keys: [{ id: `k${i}`, hint: `agc_…${i}` }],
    agent: { id: `a${i}`, name: `Agent ${i}` },
  }))
  const asked: { filter: Filter; orderBy?: Order }[] = []
  answer({
    agents: {
      nodes: [{ id: someAgent, name: 'Shop help' }],
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false },
      totalCount: 1,
    },
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      createdAt: inMinutes(-1000),
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
      exports: ({ first, after, filter, orderBy }: Arguments) => {
        asked.push({ filter, orderBy })
        const matching = rows.filter(
          ({ state, name }) =>
            (!filter.state || state === filter.state) &&
            !(filter.inUse && state === 'REMOVED') &&
            name.includes(filter.search ?? ''),
        )
        const from = Number(after ?? 0)
        const nodes = matching.slice(from, from + first)
        const hasNextPage = from + first < matching.length
        return { nodes, edges: [], pageInfo: { hasNextPage, hasPreviousPage: false, endCursor: String(from + first) } }
      },
    },
  })
  return asked
}

test('shows exports page by page, each leading to its page', async () => {
  service(90)
  renderPage('/exports')
  // By text: queries by role are slow with this many rows.
  const link = (await screen.findByText('Export 0')).closest('a')
  expect(link?.getAttribute('href')).toBe('/exports/e0')
  expect(screen.queryByText('Export 88')).toBeNull()
  await userEvent.click(screen.getByText('Show more'))
  expect(await screen.findByText('Export 88')).toBeTruthy()
  expect(document.querySelectorAll('tbody tr')).toHaveLength(60)
  expect(screen.queryByText('Show more')).toBeNull()
})

test('the service orders the list: by the credits of this month, or by the column of the address', async () => {
  const asked = service(60)
  const { router } = renderPage('/exports')
  await screen.findByText('Export 0')
  const sorted = () => document.querySelector('[aria-sort]')
  expect(sorted()?.textContent).toBe('This month')
  expect(sorted()?.getAttribute('aria-sort')).toBe('descending')
  await userEvent.click(screen.getByText('Last used', { selector: 'th *' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: '-used' }))
  await userEvent.click(screen.getByText('Name', { selector: 'th *' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'name' }))
  await userEvent.click(screen.getByText('This month', { selector: 'th *' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
  // The first page is read again and again.
  const orders = asked.map(({ orderBy }) => `${orderBy?.field} ${orderBy?.direction}`)
  expect(orders.filter((order, at) => order !== orders[at - 1])).toEqual([
    'CREDITS_MONTH DESC',
    'LAST_USED DESC',
    'NAME ASC',
    'CREDITS_MONTH DESC',
  ])
})

test('near a limit, all pages are read, and the address keeps it', async () => {
  service(180) // 120 in use: three pages
  const { router } = renderPage('/exports')
  expect(await screen.findByText('50 exports so far')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Near a limit (80%+)' }))
  expect(await screen.findByText('1 export', {}, { timeout: 20_000 })).toBeTruthy()
  const names = Array.from(document.querySelectorAll('tbody .panel-row-link'), (link) => link.textContent)
  expect(names).toEqual(['Export 1'])
  expect(router.state.location.search).toEqual({ near: true })
})

test('the state is in the address, and removed ones have their dates', async () => {
  service(6)
  const { router } = renderPage('/exports?state=REMOVED')
  const link = await screen.findByRole('link', { name: 'Export 2' })
  expect(link.closest('tr')?.textContent).toContain('2 hours ago')
  expect(screen.queryByRole('link', { name: 'Export 0' })).toBeNull()
  await userEvent.click(screen.getByRole('combobox', { name: 'State' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Active' }))
  expect(await screen.findByRole('link', { name: 'Export 0' })).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Export 2' })).toBeNull())
  expect(router.state.location.href).toBe('/exports?state=ACTIVE')
})

test('a row shows the limit of which most is used, the end of its key, and how soon it expires', async () => {
  service(3)
  renderPage('/exports')
  const row = async (name: string) => (await screen.findByRole('link', { name })).closest('tr')?.textContent
  expect(await row('Export 0')).toContain('990 of 2,000month')
  expect(await row('Export 1')).toContain('990 of 1,000month')
  expect(await row('Export 1')).toContain('…1')
  expect(await row('Export 0')).toContain('Expires in 2 days')
  expect(await row('Export 0')).not.toContain('Active')
  expect(await row('Export 1')).toContain('Active')
  expect(await row('Export 1')).not.toContain('Expires')
})

test('an export is created in four clicks, and its page shows the key once', async () => {
  const rows = exportService([])
  const { router } = renderPage('/exports')
  const none = (await screen.findByText('No API exports yet')).parentElement as HTMLElement
  await userEvent.click(within(none).getByRole('button', { name: 'Create API Export' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create API Export' }))
  await userEvent.click(dialog.getByRole('combobox', { name: 'Agent' }))
  await userEvent.click(await dialog.findByRole('option', { name: 'Shop', hidden: true }))
  await userEvent.click(dialog.getByRole('button', { name: 'Create API Export' }))
  expect((await screen.findByTestId('api-key')).textContent).toBe(apiKey)
  expect(router.state.location.pathname).toBe(`/exports/${rows[0]?.id}`)
  await userEvent.click(screen.getByRole('button', { name: 'I’ve saved the key' }))
  expect(document.body.innerHTML).not.toContain(apiKey)
  await router.navigate({ to: '/exports' })
  await userEvent.click(await screen.findByRole('link', { name: 'API export' }))
  expect(await screen.findByRole('heading', { name: 'Keys' })).toBeTruthy()
  expect(screen.queryByTestId('api-key')).toBeNull()
})

test('removed ones are left out, and the name and agent are in the address', async () => {
  const asked = service(6)
  const { router } = renderPage('/exports')
  expect(await screen.findByText('4 exports')).toBeTruthy()
  expect(asked[0]?.filter).toEqual({ inUse: true })
  await userEvent.type(screen.getByLabelText('Search exports'), 'Export 4')
  expect(await screen.findByText('1 export')).toBeTruthy()
  await userEvent.click(screen.getByRole('combobox', { name: 'Agent' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Shop help', hidden: true }))
  await waitFor(() => expect(router.state.location.search).toEqual({ search: 'Export 4', agent: someAgent }))
  await waitFor(() => expect(asked.at(-1)?.filter).toEqual({ inUse: true, search: 'Export 4', agentId: someAgent }))
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByText('4 exports')).toBeTruthy()
})

test('without exports it says how there will be some', async () => {
  service(0)
  renderPage('/exports?state=nonsense')
  expect(await screen.findByText('No API exports yet')).toBeTruthy()
  expect(screen.getAllByRole('button', { name: 'Create API Export' })).toHaveLength(2)
})

test('viewers are offered nothing that creates or pauses', async () => {
  exportService([exportRow('e1', 'Web shop')], { role: 'VIEWER' })
  renderPage(`/exports?agent=${someAgent}`)
  expect(await screen.findByRole('link', { name: 'Web shop' })).toBeTruthy()
  for (const name of ['Create API Export', 'Pause all exports']) {
    expect(screen.queryByRole('button', { name })).toBeNull()
  }
})
