import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { CreateAgentInput } from '@/gql/graphql'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'
import { starterModel } from './start/Starters'
import { usage } from './testing'

afterEach(() => session.forget())

const pageInfo = { hasNextPage: false, hasPreviousPage: false }
const agent = { id: 'a1', name: 'Shop helper', state: 'DRAFT', hasUnpublishedChanges: true, exports: [] }
const model = {
  label: 'Assistant',
  provider: 'sandbox',
  creditsPerMessage: 1,
  creditsWithKnowledge: null,
  available: true,
  contextWindow: 8_192,
  sandbox: true,
}

type Has = {
  agents?: object[]
  /** Conversations over the API. */
  calls?: object[]
  exports?: object[]
  requests?: object[]
  refused?: boolean
}

function service(has: Has = {}) {
  const created: CreateAgentInput[] = []
  answer({
    serviceInfo: {
      version: '1',
      baseUrl: '',
      signUpOpen: true,
      creditsHelp: 'Ask for more',
      supportContact: '',
      mail: false,
    },
    agents: () => ({ nodes: has.agents ?? [], pageInfo, totalCount: has.agents?.length ?? 0 }),
    models: [
      { ...model, name: 'acme/fast', sandbox: false },
      { ...model, name: 'acme/best', sandbox: false, creditsPerMessage: 5 },
      { ...model, name: 'sandbox/assistant' },
    ],
    createAgent: ({ input }: { input: CreateAgentInput }) => {
      if (has.refused) throw refusal('LIMIT_EXCEEDED', 'There are too many agents.')
      created.push(input)
      return { agent: { ...agent, name: input.name } }
    },
    agent: refusal('NOT_FOUND', 'There is no such agent.'),
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: 1_000,
      creditsHeld: 0,
      creditsAvailable: 1_000,
      usage,
      conversations: () => ({ nodes: has.calls ?? [], pageInfo }),
      requests: () => ({ nodes: has.requests ?? [], pageInfo }),
      exports: () => ({ nodes: has.exports ?? [], pageInfo }),
      creditHistory: { nodes: [], pageInfo },
    },
  })
  session.signedIn('good', inMinutes(15), Date.now())
  return created
}

test('the first run shows the steps and starter agents; one click makes one and opens it', async () => {
  const created = service()
  const { router } = renderPage('/')
  expect(await screen.findByRole('heading', { name: 'First steps' })).toBeTruthy()
  expect(screen.queryAllByText('(done)')).toHaveLength(0)
  const button = await screen.findByRole('button', { name: 'Create agent: Booking assistant' })
  await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false))
  await userEvent.click(button)
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents/a1'))
  expect(created).toHaveLength(1)
  expect(created[0]).toMatchObject({ name: 'Booking assistant', model: 'acme/best' })
  expect(created[0]?.instructions).toContain('You take requests for appointments.')
})

test('a refused starter says why and can be tried again', async () => {
  service({ refused: true })
  renderPage('/')
  const button = await screen.findByRole('button', { name: 'Create agent: Customer support' })
  await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false))
  await userEvent.click(button)
  expect((await screen.findByRole('alert')).textContent).toContain('There are too many agents.')
  expect(button.hasAttribute('disabled')).toBe(false)
})

const live = {
  ...agent,
  state: 'LIVE',
  publishedVersion: { number: 1, variables: [{ name: 'order_id', required: true }] },
}
const opened = { id: 'e1', name: 'Web shop', state: 'ACTIVE', requireUserId: true, agent: live }
const request = {
  id: 'r1',
  at: inMinutes(0),
  outcome: 'ANSWERED',
  status: 200,
  credits: 5,
  durationMs: 900,
  turn: { message: 'Hello!', reply: 'Good day.' },
}

test('steps tick as they are done, until the first call has come', async () => {
  const has: Has = { agents: [agent] }
  service(has)
  const { queryClient } = renderPage('/')
  const tick = () => queryClient.invalidateQueries({ queryKey: ['home'] })
  await waitFor(() => expect(screen.getAllByText('(done)')).toHaveLength(1))
  expect(screen.getByRole('link', { name: 'Publish it' }).getAttribute('href')).toBe('/agents/a1')
  has.agents = [live]
  await tick()
  await waitFor(() => expect(screen.getAllByText('(done)')).toHaveLength(2))
  expect(screen.getByRole('link', { name: 'Create an API export' }).getAttribute('href')).toBe(
    '/agents/a1?node=channels',
  )
  has.exports = [opened]
  await tick()
  await waitFor(() => expect(screen.getAllByText('(done)')).toHaveLength(3))
  const command = await screen.findByRole('region', { name: 'First call command' })
  expect(command.textContent).toContain('Bearer $AGENTCHAT_API_KEY')
  expect(command.textContent).toContain('"user_id": "user-1", "variables": {"order_id": "example"}')
  expect(await screen.findByText('Waiting for the first request…')).toBeTruthy()
  has.requests = [request]
  has.calls = [{ id: 'c1', sessionId: 'customer-42', preview: 'Hello!', failedTurns: 0, agent: live }]
  await tick()
  expect(await screen.findByText('Received: 200, 5 credits')).toBeTruthy()
  await waitFor(() => expect(screen.getAllByText('(done)')).toHaveLength(4))
  await userEvent.click(screen.getByRole('button', { name: 'Show them now' }))
  expect(screen.queryByRole('heading', { name: 'First steps' })).toBeNull()
  expect(await screen.findByRole('region', { name: 'Last 24 hours' })).toBeTruthy()
})

test('an account that has had a call begins with its figures', async () => {
  service({ agents: [live], calls: [{ id: 'c1', sessionId: 'customer-42', preview: '', failedTurns: 0, agent: live }] })
  renderPage('/')
  expect(await screen.findByRole('region', { name: 'Last 24 hours' })).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'First steps' })).toBeNull()
})

test.each([
  ['the dearest real model', 100, 'x/best'],
  ['one that the credits last a while for', 49, 'x/good'],
  ['the cheapest with few credits', 0, 'x/good'],
])('a starter has %s', (_, credits, name) => {
  const named = (name: string, creditsPerMessage: number) => ({ ...model, name, creditsPerMessage, sandbox: false })
  const away = { ...named('x/away', 8), available: false }
  const sandbox = { ...model, name: 'sandbox/assistant', creditsPerMessage: 9 }
  expect(starterModel([away, named('x/good', 1), named('x/best', 5), sandbox], credits)).toBe(name)
})

test('a starter has the sandbox if there is nothing else', () => {
  const sandbox = { ...model, name: 'sandbox/assistant' }
  expect(starterModel([{ ...model, name: 'x/off', sandbox: false, available: false }, sandbox], 100)).toBe(sandbox.name)
  expect(starterModel([], 100)).toBeUndefined()
})
