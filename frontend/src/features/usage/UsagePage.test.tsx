import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'

afterEach(() => session.forget())

const shop = { id: '00000000-0000-4000-8000-000000000001', name: 'Shop help' }
const none = { messages: 0, failed: 0, refused: 0, credits: 0, inputTokens: 0, outputTokens: 0, rest: false }
const used = { ...none, messages: 30, failed: 2, credits: 60, inputTokens: 1_000, outputTokens: 500 }

type Args = { groupBy: string[]; interval: string | null; filter: Record<string, unknown> }

/** A service where one agent, a deleted one and an unknown one were used; or nothing was. */
function service(idle = false) {
  session.signedIn('good', inMinutes(15), Date.now())
  const asked: Args[] = []
  const rows = [
    { ...used, agent: shop, agentName: shop.name, durationP50Ms: 800, durationP95Ms: 2_400 },
    { ...none, messages: 10, credits: 20, agent: null, agentName: 'Gone desk' },
    { ...none, refused: 4, agent: null, agentName: null },
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

test('the sum, its change and the rows agree, and figures lead to what is behind them', async () => {
  service()
  renderApp('/usage')
  expect(await screen.findByRole('heading', { name: '80' })).toBeTruthy()
  expect(screen.getByText('credits, 40 messages')).toBeTruthy()
  expect(screen.getByText('As much as in the period before')).toBeTruthy()
  expect(cells('Shop help')).toEqual(
    ['Shop help', '60', '75 %', '30', '2', '0', '1,500', '800 ms', '2.4 s'].map((text, at) =>
      at === 0 ? ` ${text}` : text,
    ),
  )
  expect(cells('Gone desk')[1]).toBe('20')
  expect(cells('Unknown').slice(3, 6)).toEqual(['0', '0', '4'])
  expect(cells('Total')).toEqual(['Total', '80', '', '40', '2', '4', '1,500', '800 ms', '2.4 s'])
  const row = within(screen.getByRole('cell', { name: 'Shop help' }).closest('tr') as HTMLElement)
  expect(row.getByRole('link', { name: '2' }).getAttribute('href')).toMatch(
    new RegExp(`^/requests\\?agentId=${shop.id}&outcome=FAILED&from=`),
  )
  expect(row.getByRole('link', { name: '30' }).getAttribute('href')).toMatch(`/conversations?agent=${shop.id}`)
})

test('range, split and filters are in the address and go to the service', async () => {
  const asked = service()
  const { router } = renderApp('/usage')
  await screen.findByRole('cell', { name: 'Shop help' })
  expect(asked.filter(({ groupBy }) => groupBy[0] === 'AGENT').map(({ interval }) => interval)).toEqual([
    undefined,
    'DAY',
  ])
  await userEvent.click(screen.getByRole('radio', { name: '24 hours' }))
  await userEvent.click(screen.getByRole('radio', { name: 'Status' }))
  await userEvent.click(screen.getByRole('radio', { name: 'API' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ range: '24h', split: 'status', source: 'API' }))
  await waitFor(() =>
    expect(
      asked.some(
        ({ groupBy, interval, filter }) => groupBy[0] === 'STATUS' && interval === 'HOUR' && filter.source === 'API',
      ),
    ).toBe(true),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ range: '24h', split: 'status' }))
})

test('a time without use says so, and offers a wider range', async () => {
  service(true)
  renderApp('/usage')
  expect(await screen.findByText('Nothing was used in this period')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Show 90 days' }).getAttribute('href')).toBe('/usage?range=90d')
})
