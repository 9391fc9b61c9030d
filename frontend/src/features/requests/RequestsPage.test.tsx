import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draftKey, readDraft } from '@/shared/drafts'
import { session } from '@/shared/gql'
import { remember, remembered } from '@/shared/remembered'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { formatDay } from '@/shared/time'
import { renderApp } from '@/testing/renderApp'
import { renderPage } from '@/testing/renderPage'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.forget())

type Args = { first: number; after: string | null; filter: Record<string, string> }

const agent = { id: '0193f5a0-0000-7000-8000-000000000001', name: 'Shop help' }
const apiExport = { id: 'e1', name: 'Website' }
type Row = Record<string, unknown> & { id: string; outcome: string; code?: string }
const base = {
  requestId: 'checkout-7',
  agent,
  export: apiExport,
  replayed: false,
  streamed: false,
  background: false,
  credits: 0,
}
/** A turn that asks for no actions and brings no results. */
const acted = { actionCalls: [], actionResults: [], sources: [] }

const requests: Row[] = [
  {
    ...base,
    id: 'refused-1',
    at: '2026-01-05T19:03:05Z',
    outcome: 'REFUSED',
    status: 402,
    code: 'insufficient_credits',
    detail: 'The account does not have enough credits.',
    clientAddress: '192.0.2.1',
    sessionId: '<img src=x>',
    durationMs: 3,
  },
  {
    ...base,
    id: 'failed-1',
    background: true,
    at: '2026-01-05T19:02:05Z',
    outcome: 'FAILED',
    status: 504,
    code: 'model_timeout',
    durationMs: 55_000,
    preview: 'Do you have tea?',
    conversation: { id: 'c2', sessionId: 'table-4' },
    turn: { id: 't2', number: 3, message: 'Do you have tea?', ...acted },
  },
  {
    ...base,
    id: 'answered-1',
    requestId: '0193f5a0-0000-7000-8000-00000000abcd',
    at: '2026-01-04T19:03:05Z',
    outcome: 'ANSWERED',
    status: 200,
    credits: 5,
    durationMs: 1_240,
    waitedMs: 150,
    modelMs: 1_000,
    model: 'sandbox/assistant',
    preview: '¿Puedo cambiar\nla dirección?',
    sessionId: 'wa-346',
    userId: 'maria',
    conversation: { id: 'c1', sessionId: 'wa-346' },
    turn: {
      id: 't1',
      number: 2,
      message: '¿Puedo cambiar\nla dirección?',
      reply: 'Claro que **sí**.',
      version: 3,
      ...acted,
    },
  },
]
const errors = [
  { status: 'answered', messages: 9, failed: 0, refused: 0 },
  { status: 'insufficient_credits', messages: 0, failed: 0, refused: 22 },
  { status: 'model_timeout', messages: 0, failed: 31, refused: 0 },
]
const hours = ['2026-01-05T18:00:00.000Z', '2026-01-05T19:00:00.000Z', '2026-01-05T20:00:00.000Z']

/** A service with these requests, whose clock says so if a time is given. */
function service(found = requests, time?: string) {
  const asked: Args[] = []
  const counted: Record<string, unknown>[] = []
  const parts: Record<string, unknown>[] = []
  const resolvers = {
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
      usage: ({ filter, groupBy, interval }: { filter: object; groupBy: string[]; interval?: string }) => {
        if (interval) return hours.map((start) => ({ start, messages: 40, failed: 31, refused: 22 }))
        counted.push({ ...filter, groupBy })
        return errors.map((row) => ({ ...row, agent, rest: false }))
      },
      requests: (args: Args) => {
        const { from: _, to: __, ...filter } = args.filter
        asked.push({ ...args, filter })
        if (args.filter.from === hours[1]) parts.push(args.filter)
        const { outcome, code, search, text = '' } = args.filter
        const nodes = found.filter(
          (request) =>
            (!outcome || request.outcome === outcome) &&
            (!code || request.code === code) &&
            (!search || request.requestId === search || request.sessionId === search) &&
            String(request.preview ?? '').includes(text),
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
  }
  answer(resolvers, time ? { Date: new Date(time).toUTCString() } : {})
  return { asked, counted, parts }
}

const row = (id: string) => document.querySelector<HTMLElement>(`[data-row="${id}"]`) as HTMLElement
const opener = (id: string) => row(id).querySelector('.panel-row-link')
const listed = () => screen.findByRole('link', { name: 'Do you have tea?' })

test('today is the service’s, also where the browser’s clock is a day off', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-06T20:00:00Z') })
  session.signedIn('good', inMinutes(15), Date.now())
  service(requests, '2026-01-05T20:00:00Z')
  renderPage('/activity/requests')
  await listed()
  await waitFor(() => expect(screen.getByText(/^Today, /).textContent).toContain(formatDay('2026-01-05T19:03:05Z')))
})

test('the log has times under their day, first words or the reason for none, and what it cost', async () => {
  const { asked } = service()
  renderPage('/activity/requests')
  await listed()
  const cells = (id: string) => [...row(id).querySelectorAll('td')].map(({ textContent }) => textContent)
  expect(cells('refused-1')).toEqual([
    '2:03:05 PM',
    '402 insufficient_credits',
    'The account does not have enough credits.',
    '',
    'Shop help',
    '3 ms',
    '0',
  ])
  expect(cells('answered-1')).toEqual([
    '2:03:05 PM',
    '200 answered',
    '¿Puedo cambiar\nla dirección?',
    'maria',
    'Shop help',
    '1.2 s',
    '5',
  ])
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    'Mon, Jan 5, 2026 · America/New_York',
    'Sun, Jan 4, 2026 · America/New_York',
  ])
  expect(screen.getByText('3 requests')).toBeTruthy()
  expect(asked[0]).toEqual({ first: 50, after: null, filter: {} })
})

test('a refused request says what was wrong and what to do, and is an address of its own', async () => {
  service()
  const { router } = renderPage('/activity/requests?outcome=REFUSED')
  await userEvent.click(await screen.findByRole('link', { name: 'The account does not have enough credits.' }))
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByText('The account does not have enough credits.')).toBeTruthy()
  expect(panel.getByText(/^Add credits/)).toBeTruthy()
  expect(panel.getByText('The text of rejected calls is never stored.')).toBeTruthy()
  expect(panel.getByText('<img src=x>')).toBeTruthy()
  expect(router.state.location.search).toEqual({ outcome: 'REFUSED', id: 'refused-1' })
  await userEvent.click(panel.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(router.state.location.search).toEqual({ outcome: 'REFUSED' })
  await waitFor(() => expect(document.activeElement).toBe(opener('refused-1')))
})

test('an answered request shows its texts and where its time went, and leads to its turn', async () => {
  service()
  renderPage('/activity/requests?id=answered-1')
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByText('1.2 s total')).toBeTruthy()
  expect(panel.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Queued 150 ms',
    'Model 1.0 s',
    'Service 90 ms',
  ])
  const reply = within(panel.getByRole('group', { name: 'Reply' }))
  expect((await reply.findByText('sí')).tagName).toBe('STRONG')
  await userEvent.click(reply.getByRole('button', { name: 'Raw' }))
  expect(reply.getByText('Claro que **sí**.')).toBeTruthy()
  expect(within(panel.getByRole('group', { name: 'Message' })).getByText(/^¿Puedo cambiar/)).toBeTruthy()
  expect(panel.getByRole('link', { name: 'wa-346, turn 2' }).getAttribute('href')).toBe(
    '/activity/conversations/c1?turn=2',
  )
  expect(panel.getByRole('link', { name: 'version 3' }).getAttribute('href')).toContain('/versions?open=3')
  expect(panel.getByText('0193f5a0…0000abcd').getAttribute('title')).toBe('0193f5a0-0000-7000-8000-00000000abcd')
  expect(panel.getByRole('button', { name: 'Copy the request ID' })).toBeTruthy()
})

test('a failed request says why there is no reply', async () => {
  service()
  renderPage('/activity/requests?id=failed-1')
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByText(/^The model took too long\. Not charged/)).toBeTruthy()
  expect(panel.getByText(/^No reply\.$/)).toBeTruthy()
  expect(panel.getByText('Background')).toBeTruthy()
  expect(panel.getByRole('group', { name: 'Message' })).toBeTruthy()
})

test.each([
  [400, 'model_error', '<b>•••</b> is [no](x) key', '<b>•••</b> is [no](x) key'],
  [413, 'model_error', null, 'The provider sent no details.'],
  [429, 'model_unavailable', null, 'Details go to the operator of this service.'],
])('a provider’s %d is shown plainly, and how long the model took', async (status, code, message, shown) => {
  const failed = { ...(requests[1] as Row), code, model: 'openai/gpt', waitedMs: 5, modelMs: 54_000 }
  const turn = { ...(requests[1]?.turn as object), providerError: { status, code: 'tokens', message } }
  service([{ ...failed, turn }])
  renderPage('/activity/requests?id=failed-1')
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByRole('heading', { name: 'Provider’s response' })).toBeTruthy()
  expect(panel.getByText(`openai returned ${status} tokens`)).toBeTruthy()
  expect(panel.getByText(shown)).toBeTruthy()
  expect(panel.getByText('Model 54.0 s')).toBeTruthy()
})

test('an ID that nobody has used says so', async () => {
  service()
  renderPage('/activity/requests?id=made-up')
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByText('There is no such request.')).toBeTruthy()
})

test('errors are grouped by code with how often they came, and a group is a filter', async () => {
  const { asked, counted } = service()
  const { router } = renderPage(`/activity/requests?agentId=${agent.id}&userId=maria`)
  await listed()
  const group = await screen.findByRole('link', { name: '504 model_timeout 31' })
  const names = within(screen.getByRole('list', { name: 'Result' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent)
  expect(names).toEqual([
    'All3', // all are loaded
    'Answered9',
    'Failed31',
    'Rejected22',
    '504 model_timeout31',
    '402 insufficient_credits22',
  ])
  expect(counted.find(({ groupBy }) => `${groupBy}` === 'STATUS,AGENT')).toMatchObject({
    agentId: agent.id,
    userId: 'maria',
    source: 'API',
  })
  await userEvent.click(group)
  await waitFor(() => expect(asked.at(-1)?.filter).toMatchObject({ code: 'model_timeout' }))
  await waitFor(() => expect(row('refused-1')).toBeNull())
  expect(group.getAttribute('aria-current')).toBe('page')
  await userEvent.click(screen.getByRole('link', { name: /^Rejected/ }))
  await waitFor(() => expect(asked.at(-1)?.filter).toMatchObject({ outcome: 'REFUSED' }))
  expect(router.state.location.search).toEqual({ agentId: agent.id, userId: 'maria', outcome: 'REFUSED' })
})

test('J and K go through the rows and through what they open, Escape goes back to the row', async () => {
  service()
  const { router } = renderApp('/activity/requests')
  await listed()
  await userEvent.keyboard('j')
  expect(document.activeElement).toBe(opener('refused-1'))
  await userEvent.keyboard('jj')
  expect(document.activeElement).toBe(opener('answered-1'))
  await userEvent.keyboard('k{Enter}')
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  expect(await panel.findByText(/^The model took too long/)).toBeTruthy()
  await userEvent.keyboard('j')
  expect(await panel.findByText('1.2 s total')).toBeTruthy()
  expect(router.state.location.search).toEqual({ id: 'answered-1' })
  expect(panel.getByRole('button', { name: 'Next request' })).toHaveProperty('disabled', true)
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(opener('answered-1')))
  expect(router.state.location.search).toEqual({})
  // A letter in a field is a letter.
  await userEvent.type(screen.getByLabelText('Search requests'), 'jk')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the filters stand in the address and go to the service', async () => {
  const { asked } = service()
  const { router } = renderPage('/activity/requests')
  await listed()
  await userEvent.click(screen.getByRole('link', { name: /^Failed/ }))
  await userEvent.type(screen.getByLabelText('Search requests'), 'order-7')
  await waitFor(() => expect(asked.at(-1)?.filter).toEqual({ outcome: 'FAILED', search: 'order-7' }))
  expect(router.state.location.search).toEqual({ outcome: 'FAILED', search: 'order-7' })
  // What a search finds is not counted.
  expect(screen.getByRole('link', { name: '504 model_timeout' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
  expect(await screen.findByRole('link', { name: 'Do you have tea?' })).toBeTruthy()
})

test('a search takes words and IDs, and an ID wins', async () => {
  const { asked } = service()
  renderPage('/activity/requests?search=tea')
  await listed()
  expect(screen.getByText('1 request')).toBeTruthy()
  expect(asked.map(({ filter }) => filter)).toEqual([{ text: 'tea' }, { search: 'tea' }])
  await userEvent.clear(screen.getByLabelText('Search requests'))
  await userEvent.type(screen.getByLabelText('Search requests'), 'wa-346')
  await waitFor(() => expect(row('answered-1')).toBeTruthy())
  expect(row('failed-1')).toBeNull()
})

test('the arrow keys and Enter choose a part of the period on the strip, which a click gives back', async () => {
  const { parts } = service()
  const { router } = renderPage('/activity/requests?code=model_timeout')
  const strip = await screen.findByRole('slider', { name: 'Requests over time' })
  expect(strip.getAttribute('aria-valuetext')).toMatch(/^Jan 5, 3:00\sPM: 40 answered, 31 failed, 22 rejected$/)
  expect(within(screen.getByRole('table', { name: 'Requests over time' })).getAllByRole('row')).toHaveLength(4)
  // Chromium moves the value by the arrow keys; jsdom does not.
  fireEvent.keyDown(strip, { key: 'ArrowLeft', shiftKey: true })
  fireEvent.change(strip, { target: { value: '1' } })
  fireEvent.keyDown(strip, { key: 'Enter' })
  const chip = await screen.findByRole('button', { name: /Show whole period$/ })
  expect(chip.textContent).toMatch(/^Jan 5, 2:00\sPM\s–\s/)
  expect(router.state.location.search).toMatchObject({ code: 'model_timeout', since: hours[1] })
  await waitFor(() => expect(parts.at(-1)).toMatchObject({ code: 'model_timeout', from: hours[1] }))
  await userEvent.click(chip)
  await waitFor(() => expect(router.state.location.search).toEqual({ code: 'model_timeout' }))
})

test('a failure leads to more like it and to Try, with the message in a new chat', async () => {
  const { counted } = service()
  remember(agent.id, 'an-older-chat')
  const { router } = renderPage('/activity/requests?id=failed-1')
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }))
  const more = await panel.findByRole('link', { name: '31 more like this in the last hour' })
  const { from, to } = counted.find(({ groupBy }) => `${groupBy}` === 'STATUS') ?? {}
  await userEvent.click(panel.getByRole('link', { name: 'Open in Try' }))
  await waitFor(() => expect(router.state.location.href).toContain(`/agents/${agent.id}?try=window`))
  expect(readDraft(draftKey(agent.id, 'try'))).toMatchObject({ values: { message: 'Do you have tea?' } })
  expect(remembered(agent.id)).toBeUndefined()
  expect(new URL(more.getAttribute('href') ?? '', 'http://x').searchParams.toString()).toBe(
    new URLSearchParams({
      code: 'model_timeout',
      agentId: agent.id,
      since: String(from),
      until: String(to),
    }).toString(),
  )
})

test('an agent in the address is a filter that can be changed', async () => {
  const { asked } = service()
  const { router } = renderPage(`/activity/requests?agentId=${agent.id}&outcome=FAILED`)
  const filter = await screen.findByRole('combobox', { name: 'Agent' })
  await waitFor(() => expect(filter).toHaveProperty('value', 'Shop help'))
  expect(asked.at(-1)?.filter).toEqual({ agentId: agent.id, outcome: 'FAILED' })
  await userEvent.click(filter)
  await userEvent.click(await screen.findByRole('option', { name: 'all', hidden: true }))
  await waitFor(() => expect(asked.at(-1)?.filter).toEqual({ outcome: 'FAILED' }))
  expect(router.state.location.search).toEqual({ outcome: 'FAILED' })
})

test('without requests it says how they come about', async () => {
  service([])
  renderPage('/activity/requests?time=all')
  expect(await screen.findByText('No requests yet')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe('/developers')
})

test('without requests of late it offers all', async () => {
  service([])
  const { router } = renderPage('/activity/requests')
  await userEvent.click(await screen.findByRole('link', { name: 'All time' }))
  expect(await screen.findByText('No requests yet')).toBeTruthy()
  expect(router.state.location.search).toEqual({ time: 'all' })
})

test('days in the wrong order are said so and not asked for', async () => {
  const { asked, counted } = service()
  renderPage('/activity/requests?from=2026-01-06&to=2026-01-05')
  expect(await screen.findByText('This is before the start date.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Download CSV' })).toBeNull()
  expect(asked).toEqual([])
  expect(counted.filter(({ groupBy }) => String(groupBy) === 'STATUS,AGENT')).toEqual([])
})
