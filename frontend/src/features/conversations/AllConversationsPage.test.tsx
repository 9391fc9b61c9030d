import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'

afterEach(() => session.forget())

const shop = { id: '00000000-0000-4000-8000-000000000001', name: 'Shop help' }
const desk = { id: '00000000-0000-4000-8000-000000000002', name: 'Front desk' }
const pageInfo = { hasNextPage: false, hasPreviousPage: false }

/** A service with two agents, each with one conversation. */
function service(rows = [shop, desk]) {
  session.signedIn('good', inMinutes(15), Date.now())
  const asked: Record<string, unknown>[] = []
  answer({
    agents: { nodes: [shop, desk], edges: [], pageInfo, totalCount: 2 },
    viewer: {
      id: '1',
      email: 'ada@example.com',
      name: 'Ada',
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
      creditUsage: [],
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
          }))
        return { nodes, edges: [], pageInfo }
      },
    },
  })
  return asked
}

test('lists the conversations of all agents, and filters them in the address', async () => {
  const asked = service()
  const { router } = renderApp('/conversations')
  const link = await screen.findByRole('link', { name: 'session of Shop help' })
  expect(link.getAttribute('href')).toBe('/conversations/c-Shop help'.replace(' ', '%20'))
  expect(link.closest('tr')?.textContent).toContain('Shop help')
  expect(screen.getByRole('link', { name: 'session of Front desk' })).toBeTruthy()

  await userEvent.click(screen.getByRole('combobox', { name: 'Agent' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Front desk', hidden: true }))
  await waitFor(() => expect(screen.queryByRole('link', { name: 'session of Shop help' })).toBeNull())
  expect(router.state.location.search).toEqual({ agent: desk.id })
  expect(asked.at(-1)).toMatchObject({ agentId: desk.id })
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByRole('link', { name: 'session of Shop help' })).toBeTruthy()
})

test('an account without conversations is told where they come from', async () => {
  service([])
  renderApp('/conversations')
  expect(await screen.findByText('No conversations yet')).toBeTruthy()
})
