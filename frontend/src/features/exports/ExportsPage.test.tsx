import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.signedOut())

const someAgent = '00000000-0000-4000-8000-000000000001'

type Filter = { state?: string; inUse?: boolean; search?: string; agentId?: string }
type Arguments = { first: number; after?: string; filter: Filter }

/** An account with many exports, every third of which is removed. */
function service(count: number) {
  const rows = Array.from({ length: count }, (_, i) => ({
    id: `e${i}`,
    name: `Export ${i}`,
    state: i % 3 === 2 ? 'REMOVED' : 'ACTIVE',
    createdAt: inMinutes(-60),
    removedAt: i % 3 === 2 ? inMinutes(-121) : null,
    lastUsedAt: null,
    expiresAt: null,
    rateLimitPerMinute: 600,
    dailyCreditLimit: i === 1 ? 500 : null,
    monthlyCreditLimit: [2_000, 1_000][i] ?? null,
    creditsUsedToday: 120,
    creditsUsedThisMonth: 990,
    requireUserId: false,
    keys: [{ id: `k${i}`, hint: `agc_…${i}` }],
    agent: { id: `a${i}`, name: `Agent ${i}` },
  }))
  const asked: Filter[] = []
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
      exports: ({ first, after, filter }: Arguments) => {
        asked.push(filter)
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

test('in the order of a column, and near a limit, all pages are read, and the address keeps both', async () => {
  service(180) // 120 in use: three pages
  const { router } = renderPage('/exports')
  expect(await screen.findByText('50 exports so far')).toBeTruthy()
  expect(screen.getByText('Show more')).toBeTruthy()
  const name = screen.getByText('Name', { selector: 'th *' })
  await userEvent.click(name)
  await userEvent.click(name)
  expect(await screen.findByText('120 exports', {}, { timeout: 20_000 })).toBeTruthy()
  const names = () => Array.from(document.querySelectorAll('tbody .panel-row-link'), (link) => link.textContent)
  expect(names().slice(0, 3)).toEqual(['Export 178', 'Export 177', 'Export 175'])
  expect(names()).toHaveLength(100) // the rest at a click
  expect(document.querySelector('[aria-sort]')?.getAttribute('aria-sort')).toBe('descending')
  await userEvent.click(screen.getByLabelText('Near a limit (80%+)'))
  expect(await screen.findByText('1 export')).toBeTruthy()
  expect(names()).toEqual(['Export 1'])
  expect(router.state.location.search).toEqual({ sort: '-name', near: true })
})

test('the state is in the address, and removed ones have their dates', async () => {
  service(6)
  const { router } = renderPage('/exports?state=REMOVED')
  const link = await screen.findByRole('link', { name: 'Export 2' })
  expect(link.closest('tr')?.textContent).toContain('2 hours ago')
  expect(screen.queryByRole('link', { name: 'Export 0' })).toBeNull()
  await userEvent.click(screen.getByRole('radio', { name: 'Active' }))
  expect(await screen.findByRole('link', { name: 'Export 0' })).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Export 2' })).toBeNull())
  expect(router.state.location.href).toBe('/exports?state=ACTIVE')
})

test('the credits used today stand beside their limit, and those of the month near their limit', async () => {
  service(3)
  renderPage('/exports')
  const row = async (name: string) => (await screen.findByRole('link', { name })).closest('tr')?.textContent
  expect(await row('Export 0')).toContain('120 credits today')
  expect(await row('Export 0')).not.toContain('this month')
  expect(await row('Export 1')).toContain('120 of 500 credits today')
  expect(await row('Export 1')).toContain('990 of 1,000 credits this month')
})

test('removed ones are left out, and the name and agent are in the address', async () => {
  const asked = service(6)
  const { router } = renderPage('/exports')
  expect(await screen.findByText('4 exports')).toBeTruthy()
  expect(asked[0]).toEqual({ inUse: true })
  await userEvent.type(screen.getByLabelText('Search exports'), 'Export 4')
  expect(await screen.findByText('1 export')).toBeTruthy()
  await userEvent.click(screen.getByRole('combobox', { name: 'Agent' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Shop help', hidden: true }))
  await waitFor(() => expect(router.state.location.search).toEqual({ search: 'Export 4', agent: someAgent }))
  await waitFor(() => expect(asked.at(-1)).toEqual({ inUse: true, search: 'Export 4', agentId: someAgent }))
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByText('4 exports')).toBeTruthy()
})

test('without exports it says where they come from', async () => {
  service(0)
  renderPage('/exports?state=nonsense')
  expect(await screen.findByText('No API exports yet')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Go to agents' }).getAttribute('href')).toBe('/agents')
})
