import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

afterEach(() => session.forget())

/** A service with one conversation, in which the text is in these turns' messages and replies. */
function service(places: { number: number; inReply: boolean }[]) {
  session.signedIn('good', inMinutes(15), Date.now())
  const agent = { id: 'a1', name: 'Shop help' }
  const pageInfo = { hasNextPage: false, hasPreviousPage: false }
  const turns = [1, 2, 3].map((number) => ({
    id: `t${number}`,
    conversationId: 'c1',
    number,
    message: 'A refund, please.',
    reply: 'Your refund is on its way.',
    state: 'ANSWERED',
    requestId: `req-${number}`,
    model: 'openai/gpt',
    fallback: false,
    background: false,
    actionCalls: [],
    sources: [],
    actionResults: [],
    credits: 5,
    source: 'API',
    variables: [],
    createdAt: inMinutes(-5),
  }))
  const conversation = {
    id: 'c1',
    sessionId: 'customer-7',
    source: 'API',
    preview: 'A refund, please.',
    turnCount: turns.length,
    failedTurns: 0,
    credits: 15,
    createdAt: inMinutes(-9),
    lastTurnAt: inMinutes(-5),
    agent,
    turns: { nodes: turns, edges: [], pageInfo },
  }
  const hits = places.map((place) => ({ ...place, excerpt: 'refund', ranges: [{ start: 0, length: 6 }] }))
  const conversations = { nodes: [conversation], edges: [{ node: conversation, hits }], pageInfo }
  answer({
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: { id: '1', name: 'Ada', creditBalance: 100, creditsHeld: 0, creditsAvailable: 100, conversations },
    agents: { edges: [], nodes: [], pageInfo, totalCount: 0 },
    conversation,
  })
}

test.each([
  ['Turn 2, message', 'Match 1 of the first 3 · turn 2, message'],
  ['Turn 2, reply', 'Match 2 of the first 3 · turn 2, reply'],
  ['Turn 3, reply', 'Match 3 of the first 3 · turn 3, reply'],
  ['Visitor customer-7', 'Match 1 of the first 3 · turn 2, message'],
])('in the list, %s opens at its own hit', async (link, shown) => {
  service([
    { number: 2, inReply: false },
    { number: 2, inReply: true },
    { number: 3, inReply: true },
  ])
  const { router, unmount } = renderPage('/activity/conversations?text=refund')
  await userEvent.click(await screen.findByRole('link', { name: new RegExp(link) }))
  expect(await screen.findByText(shown)).toBeTruthy()
  // A reload shows the same.
  const { pathname, searchStr } = router.state.location
  unmount()
  renderPage(pathname + searchStr)
  expect(await screen.findByText(shown)).toBeTruthy()
})
