import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

afterEach(() => session.forget())

const shop = { id: '00000000-0000-4000-8000-000000000001', name: 'Shop help' }
const desk = { id: '00000000-0000-4000-8000-000000000002', name: 'Front desk' }
const pageInfo = { hasNextPage: false, hasPreviousPage: false }

/** A service with two agents, each with one conversation. */
function service(rows = [shop, desk], more: object = {}) {
  session.signedIn('good', inMinutes(15), Date.now())
  const asked: Record<string, unknown>[] = []
  answer({
    agents: { nodes: [shop, desk], edges: [], pageInfo, totalCount: 2 },
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
      usage: [],
      conversations: ({ filter }: { filter: Record<string, unknown> }) => {
        asked.push(filter)
        const nodes = rows
          .filter(({ id }) => !filter.agentId || id === filter.agentId)
          .map((agent) => ({
            id: `c-${agent.name}`,
            sessionId: `session of ${agent.name}`,
            source: 'API',
            userId: null,
            preview: 'Where is my order?',
            turnCount: 3,
            failedTurns: 0,
            credits: 6,
            lastTurnAt: inMinutes(-5),
            agent,
            ...more,
          }))
        return { nodes, edges: [], pageInfo }
      },
    },
  })
  return asked
}

test('lists the conversations of all agents, and filters them in the address', async () => {
  const asked = service()
  const { router } = renderPage('/activity/conversations')
  const link = await screen.findByRole('link', { name: 'Visitor session of Shop help' })
  expect(link.getAttribute('href')).toBe('/activity/conversations/c-Shop help'.replace(' ', '%20'))
  expect(link.closest('tr')?.textContent).toContain('Shop help')
  expect(screen.getByRole('link', { name: 'Visitor session of Front desk' })).toBeTruthy()

  await userEvent.click(screen.getByRole('combobox', { name: 'Agent' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Front desk', hidden: true }))
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Visitor session of Shop help' })).toBeNull())
  expect(router.state.location.search).toEqual({ agent: desk.id })
  expect(asked.at(-1)).toMatchObject({ agentId: desk.id })
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByRole('link', { name: 'Visitor session of Shop help' })).toBeTruthy()
})

test('an account without conversations is told where they come from', async () => {
  service([])
  renderPage('/activity/conversations')
  expect(await screen.findByText('No conversations in this period')).toBeTruthy()
  await userEvent.click(screen.getByRole('link', { name: 'Show all time' }))
  expect(await screen.findByText('No conversations yet')).toBeTruthy()
})

test.each(['userId=nobody', 'from=2026-01-05&to=2026-01-06'])(
  'filters without a match offer all time: %s',
  async (search) => {
    service([])
    const { router } = renderPage(`/activity/conversations?${search}`)
    expect(await screen.findByText('No matching conversations')).toBeTruthy()
    await userEvent.click(screen.getByRole('link', { name: 'Show all time' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Show all time' })).toBeNull())
    expect(router.state.location.search).not.toHaveProperty('from')
  },
)

test('a row has the first words, what it cost, and failed messages', async () => {
  service([shop], { preview: 'My parcel is lost', credits: 12, failedTurns: 2 })
  renderPage('/activity/conversations')
  const row = (await screen.findByRole('link', { name: 'Visitor session of Shop help' })).closest('tr')?.textContent
  expect(row).toContain('My parcel is lost')
  expect(row).toContain('Failed')
  expect(row).toContain('12')
})

test('next to a conversation the list stays; j and k open its neighbours, and Escape closes it', async () => {
  service()
  const { router } = renderPage(`/activity/conversations?source=API`)
  const row = await screen.findByRole('link', { name: 'Visitor session of Shop help' })
  await userEvent.click(row)
  expect(await screen.findByRole('button', { name: 'Next conversation' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Previous conversation' })).toHaveProperty('disabled', true)
  expect(row.getAttribute('aria-current')).toBe('page')
  const at = (path: string) =>
    waitFor(() => {
      expect(router.state.location.pathname).toBe(path)
      expect(router.state.location.search).toEqual({ source: 'API' })
    })
  await userEvent.keyboard('j')
  await at('/activity/conversations/c-Front desk')
  await userEvent.keyboard('j')
  await userEvent.keyboard('k')
  await at('/activity/conversations/c-Shop help')
  await userEvent.keyboard('{Escape}')
  await at('/activity/conversations')
  expect(screen.queryByRole('complementary')).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(row))
})

test('the conversations of an agent open next to those of this agent', async () => {
  service()
  const { router } = renderPage(`/agents/${desk.id}/activity/conversations`)
  await userEvent.click(await screen.findByRole('link', { name: 'Visitor session of Front desk' }))
  await screen.findByRole('dialog', { name: 'Conversation' }) // over the list, as the screen is not wide
  expect(router.state.location.search).toEqual({ agent: desk.id })
})

/** A service whose search in texts takes several steps, each of which finds this many, and all but the first of which may be held. */
function stepwise(found: number[], held?: Promise<void>) {
  session.signedIn('good', inMinutes(15), Date.now())
  let steps = 0
  answer({
    agents: { nodes: [shop], edges: [], pageInfo, totalCount: 1 },
    viewer: {
      id: '1',
      creditsAvailable: 100,
      usage: [],
      conversations: async ({ after, filter }: { after: string | null; filter: { text?: string } }) => {
        const step = Number(after ?? 0)
        if (step > 0) await held
        steps += filter.text ? 1 : 0
        const nodes = Array.from({ length: found[step] ?? 0 }, (_, i) => ({
          id: `c-${step}-${i}`,
          sessionId: `hit ${step}.${i}`,
          source: 'API',
          userId: null,
          preview: 'About a refund',
          turnCount: 1,
          failedTurns: 0,
          credits: 1,
          lastTurnAt: inMinutes(-5),
          agent: shop,
        }))
        const more = step + 1 < found.length
        return {
          nodes,
          edges: nodes.map((node) => ({
            node,
            hits: [{ number: 1, inReply: false, excerpt: 'About a refund', ranges: [{ start: 8, length: 6 }] }],
          })),
          searchedTo: inMinutes(-60),
          pageInfo: { hasNextPage: more, endCursor: `${step + 1}` },
        }
      },
    },
  })
  return () => steps
}

test('a search in texts says how far it looked, and looks on until it found more', async () => {
  const steps = stepwise([0, 0, 21, 1])
  renderPage('/activity/conversations?text=refund')
  expect(await screen.findByText(/^No results since /)).toBeTruthy()
  expect(steps()).toBe(1)
  await userEvent.click(screen.getByRole('button', { name: 'Search older' }))
  expect(await screen.findByText(/^21 results since /)).toBeTruthy()
  expect(steps()).toBe(3)
  expect(screen.getAllByText('refund')[0]?.tagName).toBe('MARK')
  await userEvent.click(screen.getByRole('button', { name: 'Search older' }))
  expect(await screen.findByText('22 results in this period.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Search older' })).toBeNull()
  await userEvent.click(screen.getByRole('link', { name: 'Show all time' }))
  expect(await screen.findByText(/^No results since /)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Search older' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Search older' }))
  expect(await screen.findByText('22 results. Everything was searched.')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Show all time' })).toBeNull()
})

test('a search in texts is stopped: the step under way still counts, and no other follows', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const steps = stepwise([0, 1, 1, 1], held)
  renderPage('/activity/conversations?text=refund')
  await userEvent.click(await screen.findByRole('button', { name: 'Search older' }))
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }))
  release()
  expect(await screen.findByText(/^1 result since /)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Search older' })).toBeTruthy()
  expect(steps()).toBe(2)
})
