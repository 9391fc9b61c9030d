import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.forget())

type Args = { first: number; after: string | null; filter: Record<string, string> }

const agent = { id: '0193f5a0-0000-7000-8000-000000000001', name: 'Shop help' }
const apiExport = { id: 'e1', name: 'Website' }
type Row = Record<string, unknown> & { id: string; outcome: string; code?: string }
const base = { agent, export: apiExport, replayed: false, streamed: false, credits: 0 }
const requests: Row[] = [
  {
    ...base,
    id: 'refused-1',
    requestId: 'refused-1',
    at: inMinutes(-1),
    outcome: 'REFUSED',
    status: 402,
    code: 'insufficient_credits',
    detail: 'The account does not have enough credits.',
    keyHint: 'ack_…1234',
    clientAddress: '192.0.2.1',
    sessionId: '<img src=x>',
    durationMs: 3,
  },
  {
    ...base,
    id: 'failed-1',
    requestId: 'failed-1',
    at: inMinutes(-2),
    outcome: 'FAILED',
    status: 504,
    code: 'model_timeout',
    durationMs: 55_000,
  },
  {
    ...base,
    id: 'answered-1',
    requestId: 'answered-1',
    at: inMinutes(-3),
    outcome: 'ANSWERED',
    status: 200,
    credits: 2,
    durationMs: 1_200,
    waitedMs: 150,
    modelMs: 1_000,
    model: 'sandbox/assistant',
    conversation: { id: 'c1' },
  },
]

/** A service with these requests. */
function service(found = requests) {
  const asked: Args[] = []
  answer({
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
      requests: (args: Args) => {
        asked.push(args)
        const { outcome, code } = args.filter
        const nodes = found.filter(
          (request) => (!outcome || request.outcome === outcome) && (!code || request.code === code),
        )
        return {
          edges: nodes.map((node) => ({ cursor: node.id, node })),
          pageInfo: { hasNextPage: false, endCursor: nodes.at(-1)?.id ?? null },
        }
      },
    },
    agents: { nodes: [agent], pageInfo: { hasNextPage: false } },
    request: ({ id }: { id: string }) => {
      const request = found.find((one) => one.id === id)
      if (!request) throw refusal('NOT_FOUND', 'There is no such request.')
      return request
    },
  })
  return asked
}

test('every request has its outcome, code, time and credits', async () => {
  const asked = service()
  renderApp('/requests')
  const row = (await screen.findByRole('link', { name: 'refused-1' })).closest('tr')
  const cells = [...(row?.querySelectorAll('td') ?? [])].map(({ textContent }) => textContent)
  expect(cells).toEqual([
    'refused-1',
    '1 minute ago',
    'Refused402 insufficient_credits',
    'Shop help',
    'Website',
    '3 ms',
    '0',
  ])
  expect(screen.getByText('3 requests')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Requests' }).getAttribute('aria-current')).toBe('page')
  expect(asked[0]).toEqual({ first: 50, after: null, filter: {} })
})

test('a refused request says what was wrong and what to change, and is an address of its own', async () => {
  service()
  const { router } = renderApp('/requests?outcome=REFUSED')
  await userEvent.click(await screen.findByRole('link', { name: 'refused-1' }))
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByText('The account does not have enough credits.')).toBeTruthy()
  expect(panel.getByText(/^Get more credits/)).toBeTruthy()
  expect(panel.getByText('ack_…1234')).toBeTruthy()
  expect(panel.getByText('<img src=x>')).toBeTruthy()
  expect(panel.queryByRole('link', { name: 'Open the conversation' })).toBeNull()
  expect(router.state.location.search).toEqual({ outcome: 'REFUSED', id: 'refused-1' })
  await userEvent.click(panel.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(router.state.location.search).toEqual({ outcome: 'REFUSED' })
})

test('an answered request shows where its time went, and leads to its conversation', async () => {
  service()
  renderApp('/requests?id=answered-1')
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByText('1,200 ms in total')).toBeTruthy()
  expect(panel.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Waited 150 ms',
    'Model 1,000 ms',
    'Service 50 ms',
  ])
  expect(panel.getByRole('link', { name: 'Open the conversation' }).getAttribute('href')).toBe('/conversations/c1')
})

test('an ID that nobody has used says so', async () => {
  service()
  renderApp('/requests?id=made-up')
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByText('There is no such request.')).toBeTruthy()
})

test('the filters stand in the address and go to the service', async () => {
  const asked = service()
  const { router } = renderApp('/requests')
  await screen.findByRole('link', { name: 'answered-1' })
  await userEvent.click(screen.getByRole('radio', { name: 'Failed' }))
  await waitFor(() => expect(screen.queryByRole('link', { name: 'answered-1' })).toBeNull())
  await userEvent.type(screen.getByLabelText('Request ID or session ID'), 'order-7')
  await waitFor(() => expect(asked.at(-1)?.filter).toEqual({ outcome: 'FAILED', search: 'order-7' }))
  expect(router.state.location.search).toEqual({ outcome: 'FAILED', search: 'order-7' })
  await userEvent.type(screen.getByLabelText('Error code'), 'rate_limited')
  expect(await screen.findByText('No matching requests')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByRole('link', { name: 'answered-1' })).toBeTruthy()
})

test('an agent in the address is a filter that can be changed', async () => {
  const asked = service()
  const { router } = renderApp(`/requests?agentId=${agent.id}&outcome=FAILED`)
  const filter = await screen.findByRole('combobox', { name: 'Agent' })
  await waitFor(() => expect(filter).toHaveProperty('value', 'Shop help'))
  expect(asked.at(-1)?.filter).toEqual({ agentId: agent.id, outcome: 'FAILED' })
  await userEvent.click(filter)
  await userEvent.click(await screen.findByRole('option', { name: 'All agents', hidden: true }))
  await waitFor(() => expect(asked.at(-1)?.filter).toEqual({ outcome: 'FAILED' }))
  expect(router.state.location.search).toEqual({ outcome: 'FAILED' })
  expect(screen.queryByRole('button', { name: /^Agent:/ })).toBeNull()
})

test('without requests it says how they come about', async () => {
  service([])
  renderApp('/requests')
  expect(await screen.findByText('No requests yet')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe('/api-docs')
})
