import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes } from '@/shared/testing/server'
import { startOfMonth } from '@/shared/time'
import { renderPage } from '@/testing/renderPage'
import { monthText } from './useNames'

afterEach(() => {
  session.forget()
  vi.restoreAllMocks()
})

const shop = { id: '00000000-0000-4000-8000-000000000001', name: 'Shop help' }
const none = { messages: 0, failed: 0, refused: 0, credits: 0, inputTokens: 0, outputTokens: 0, rest: false }
const used = { ...none, messages: 30, failed: 2, credits: 60, inputTokens: 1_000, outputTokens: 500 }

const results = [
  { ...none, failed: 2, status: 'model_error' },
  { ...none, messages: 40, status: 'answered' },
  { ...none, refused: 4, status: 'rate_limited' },
]

type Args = { groupBy: string[]; interval: string | null; filter: Record<string, unknown> }

/** A service where one agent, a deleted one and an unknown one were used; or nothing was. */
function service(idle = false, more: object[] = []) {
  session.signedIn('good', inMinutes(15), Date.now())
  const asked: Args[] = []
  const rows = [
    { ...used, agent: shop, agentName: shop.name, durationP50Ms: 800, durationP95Ms: 2_400 },
    { ...none, messages: 10, credits: 20, agent: null, agentName: 'Gone desk' },
    { ...none, refused: 4, agent: null, agentName: null },
    ...more,
  ]
  answer({
    agents: { nodes: [shop], edges: [], pageInfo: { hasNextPage: false }, totalCount: 1 },
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
      exports: { nodes: [], edges: [], pageInfo: { hasNextPage: false } },
      usage: (args: Args) => {
        asked.push(args)
        const start = args.interval ? inMinutes(-1_440) : null
        if (idle) return args.groupBy.length > 0 ? [] : [{ ...none, start }]
        if (args.groupBy[0] === 'STATUS') return results.map((row) => ({ ...row, start }))
        if (args.filter.source === 'API' && !args.interval) return rows.slice(0, 1)
        if (args.groupBy.length > 0) return rows.map((row) => ({ ...row, start }))
        return [
          {
            ...none,
            messages: 40,
            failed: 2,
            refused: 4,
            credits: 80,
            durationP50Ms: 800,
            durationP95Ms: 2_400,
            inputTokens: 1_000,
            outputTokens: 500,
            start,
          },
        ]
      },
    },
  })
  return asked
}

const cells = (name: string) =>
  [
    ...(screen
      .getByRole(/^Total$/.test(name) ? 'rowheader' : 'cell', { name })
      .closest('tr')
      ?.querySelectorAll('td, th') ?? []),
  ].map(({ textContent }) => textContent)

test('the sums and the rows agree; names and figures lead to what is behind them', async () => {
  service()
  renderPage('/usage')
  expect(await screen.findByRole('heading', { name: '80 credits for 40 messages' })).toBeTruthy()
  expect(screen.getByText(/^About the same as at this point in /)).toBeTruthy()
  expect(cells('Shop help')).toEqual([' Shop help', '60', '75.0%', '30', '1,500', '2', '0', '800 ms', '2.4 s'])
  expect(cells('Gone desk')[1]).toBe('20')
  expect(cells('Unknown').slice(6, 7)).toEqual(['4'])
  expect(cells('Total')).toEqual(['Total', '80', '', '40', '1,500', '2', '4', '800 ms', '2.4 s'])
  const shown = within(screen.getByRole('cell', { name: 'Shop help' }).closest('tr') as HTMLElement)
  const href = (name: string) => shown.getByRole('link', { name }).getAttribute('href')
  expect(href('Shop help')).toBe(`/agents/${shop.id}`)
  expect(href('2')).toMatch(new RegExp(`^/activity/requests\\?agentId=${shop.id}&from=.*&outcome=FAILED`))
  expect(href('30')).toMatch(new RegExp(`^/activity/requests\\?agentId=${shop.id}&from=.*&outcome=ANSWERED`))
  // 2 of 32 have failed.
  expect(shown.getByRole('link', { name: '2' }).getAttribute('style')).toContain('--bad')
})

async function groupBy(name: string) {
  await userEvent.click(screen.getByRole('combobox', { name: 'Group by' }))
  await userEvent.click(await screen.findByRole('option', { name, hidden: true }))
}

test('period, split and filters are in the address and go to the service', async () => {
  const asked = service()
  const { router } = renderPage('/usage')
  await screen.findByRole('cell', { name: 'Shop help' })
  expect(asked.filter(({ groupBy }) => groupBy[0] === 'AGENT').map(({ interval }) => interval)).toEqual([
    undefined,
    undefined,
    'DAY',
  ])
  await userEvent.click(screen.getByRole('radio', { name: 'Last month' }))
  await groupBy('Result')
  await waitFor(() => expect(router.state.location.search).toEqual({ range: 'last', split: 'status' }))
  expect(await screen.findByText('requests')).toBeTruthy()
  await groupBy('Agent')
  await router.navigate({ to: '/usage', search: { range: 'last', source: 'API' } })
  await waitFor(() =>
    expect(
      asked.some(
        ({ groupBy, interval, filter }) => groupBy[0] === 'AGENT' && interval === 'DAY' && filter.source === 'API',
      ),
    ).toBe(true),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ range: 'last' }))
  expect(await screen.findByText(monthText(startOfMonth(Date.now(), -2)))).toBeTruthy()
  await router.navigate({ to: '/usage', search: { from: '2026-01-05', to: '2026-01-06' } })
  expect(await screen.findByText('Previous period')).toBeTruthy()
})

test('rows are sorted by their heads, and what is shown comes first', async () => {
  service()
  const { router } = renderPage('/usage')
  const names = () =>
    screen
      .getAllByRole('row')
      .slice(1, 4)
      .map((one) => one.querySelector('td')?.textContent?.trim())
  const head = (name: string) => screen.getByRole('columnheader', { name })
  await screen.findByRole('cell', { name: 'Shop help' })
  expect(names()).toEqual(['Shop help', 'Gone desk', 'Unknown'])
  expect(head('Credits').getAttribute('aria-sort')).toBe('descending')
  await userEvent.click(screen.getByRole('button', { name: 'Rejected' }))
  await waitFor(() => expect(names()).toEqual(['Unknown', 'Shop help', 'Gone desk']))
  expect(router.state.location.search).toEqual({ sort: '-refused' })
  expect([head('Rejected'), head('Credits')].map((one) => one.getAttribute('aria-sort'))).toEqual(['descending', null])
  await userEvent.click(screen.getByRole('button', { name: 'Credits' }))
  await waitFor(() => expect(names()).toEqual(['Shop help', 'Gone desk', 'Unknown']))
  expect(router.state.location.search).toEqual({})
  await userEvent.click(screen.getByRole('button', { name: 'Credits' }))
  await waitFor(() => expect(names()).toEqual(['Unknown', 'Gone desk', 'Shop help']))
  expect(head('Credits').getAttribute('aria-sort')).toBe('ascending')
  await router.navigate({ to: '/usage', search: { show: 'tokens' } })
  expect(await screen.findByRole('heading', { name: '1,500 tokens in 40 messages' })).toBeTruthy()
  expect(screen.getAllByRole('columnheader')[1]?.textContent).toBe('Tokens')
})

test('by result, the metric column, its total and the shares count all requests', async () => {
  service()
  renderPage('/usage?split=status&sort=-messages')
  await screen.findByRole('cell', { name: 'model_error' })
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  expect(heads).toEqual(['Result', 'Requests', 'Share', 'Credits', 'Tokens', 'Median', 'p95'])
  const [, ...rows] = screen.getAllByRole('row')
  expect(rows.map((row) => [...row.children].slice(1, 3).map(({ textContent }) => textContent))).toEqual([
    ['40', '87.0%'],
    ['4', '8.7%'],
    ['2', '4.3%'],
    ['46', ''],
  ])
  const link = within(rows[2] as HTMLElement).getByRole('link', { name: '2' })
  expect(link.getAttribute('href')).toMatch(/^\/activity\/requests\?code=model_error&/)
})

test('times are compared only from twice or half on', async () => {
  service()
  renderPage('/usage?show=time')
  expect(await screen.findByRole('heading', { name: '800 ms median, p95 2.4 s' })).toBeTruthy()
  expect(screen.getByText(/^About as fast as at this point in /)).toBeTruthy()
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent?.trim())).toEqual(
    expect.arrayContaining(['Median', 'p95']),
  )
  expect(screen.queryByRole('columnheader', { name: 'Share' })).toBeNull()
})

test('a time without use says so, and offers last month', async () => {
  service(true)
  renderPage('/usage')
  expect(await screen.findByText('No usage in this period')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Show last month' }).getAttribute('href')).toBe('/usage?range=last')
})

test('paper has the account, the period, the time, and all rows', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => dispatchEvent(new Event('beforeprint')))
  service(
    false,
    Array.from({ length: 60 }, (_, at) => ({ ...none, credits: 1, agent: null, agentName: `Desk ${at}` })),
  )
  renderPage('/usage')
  expect(await screen.findByText('Show all 63 rows')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Print' }))
  expect(print).toHaveBeenCalledOnce()
  expect(document.querySelectorAll('tbody tr')).toHaveLength(63)
  expect(document.querySelector('.panel-print')?.textContent).toMatch(/^Ada · .* · Printed /)
})
