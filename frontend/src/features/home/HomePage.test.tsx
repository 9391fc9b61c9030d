import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { CreateAgentInput } from '@/gql/graphql'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'
import { starterModel } from './Starters'
import { usage } from './testing'

afterEach(() => session.forget())

const pageInfo = { hasNextPage: false, hasPreviousPage: false }
const agent = { id: 'a1', name: 'Shop helper', state: 'DRAFT', hasUnpublishedChanges: true, exports: [] }
const model = {
  label: 'Assistant',
  provider: 'sandbox',
  creditsPerMessage: 1,
  available: true,
  contextWindow: 8_192,
  sandbox: true,
}

type Has = { agents?: object[]; conversations?: object[]; exports?: object[]; refused?: boolean }

function service(has: Has = {}) {
  const created: CreateAgentInput[] = []
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: 'Ask for more', supportContact: '' },
    agents: () => ({ nodes: has.agents ?? [], pageInfo, totalCount: has.agents?.length ?? 0 }),
    models: [
      { ...model, name: 'sandbox/echo' },
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
      conversations: () => ({ nodes: has.conversations ?? [], pageInfo }),
      exports: () => ({ nodes: has.exports ?? [], pageInfo }),
      creditHistory: { nodes: [], pageInfo },
    },
  })
  session.signedIn('good', inMinutes(15), Date.now())
  return created
}

const conversation = { id: 'c1', sessionId: 'visitor 7', preview: 'Hello', failedTurns: 0, agent }

test('the first run shows three steps and starter agents; one click makes one and opens it', async () => {
  const created = service()
  const { router } = renderApp('/')
  expect(await screen.findByRole('heading', { name: 'First steps' })).toBeTruthy()
  expect(screen.queryAllByText('(done)')).toHaveLength(0)
  const button = await screen.findByRole('button', { name: 'Create agent: Booking assistant' })
  await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false))
  await userEvent.click(button)
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents/a1'))
  expect(created).toHaveLength(1)
  expect(created[0]).toMatchObject({ name: 'Booking assistant', model: 'sandbox/assistant' })
  expect(created[0]?.instructions).toContain('You take requests for appointments.')
})

test('a refused starter says why and can be tried again', async () => {
  service({ refused: true })
  renderApp('/')
  const button = await screen.findByRole('button', { name: 'Create agent: Customer support' })
  await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false))
  await userEvent.click(button)
  expect((await screen.findByRole('alert')).textContent).toContain('There are too many agents.')
  expect(button.hasAttribute('disabled')).toBe(false)
})

test('steps tick as they are done, and go when all are', async () => {
  const has: Has = { agents: [agent] }
  service(has)
  const { queryClient } = renderApp('/')
  await waitFor(() => expect(screen.getAllByText('(done)')).toHaveLength(1))
  expect(screen.getByRole('link', { name: 'Try it' }).getAttribute('href')).toBe('/agents/a1/playground')
  has.conversations = [conversation]
  await queryClient.invalidateQueries({ queryKey: ['home'] })
  await waitFor(() => expect(screen.getAllByText('(done)')).toHaveLength(2))
  expect(screen.getByRole('link', { name: 'visitor 7' }).getAttribute('href')).toBe('/conversations/c1')
  has.exports = [{ id: 'e1' }]
  await queryClient.invalidateQueries({ queryKey: ['home'] })
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'First steps' })).toBeNull())
  expect(await screen.findByRole('region', { name: 'Figures of the last 24 hours' })).toBeTruthy()
})

test('a starter has the sandbox, or what there is', () => {
  const named = (name: string, available = true) => ({ ...model, name, available })
  expect(starterModel([named('x/y'), named('sandbox/assistant')])).toBe('sandbox/assistant')
  expect(starterModel([named('x/off', false), named('x/y'), named('sandbox/assistant', false)])).toBe('x/y')
  expect(starterModel([])).toBeUndefined()
})
