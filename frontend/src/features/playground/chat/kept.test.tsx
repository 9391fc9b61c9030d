import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { address, composer, event, fromChatMenu, openMenu, renderTry, send, service } from '../testing'

afterEach(() => session.forget())

const turn = (id: string, fields: Record<string, unknown> = {}) => ({
  id,
  message: `Question ${id}`,
  reply: `Answer ${id}`,
  state: 'ANSWERED',
  variables: [],
  userId: null,
  version: null,
  requestId: 'req-7',
  model: 'demo/echo',
  fallback: false,
  actionCalls: [],
  sources: [],
  actionResults: [],
  credits: 2,
  durationMs: 1234,
  ...fields,
})
const log = () => screen.getByRole('log').textContent

test('a conversation is in the address, and is there again after a reload and a change of page', async () => {
  const stored: Record<string, unknown>[] = []
  const seen = service({ stored: () => stored })
  const { router, unmount } = renderTry()
  await send('Hello')
  await waitFor(() => expect(log()).toContain('You said'))
  const { session: id } = router.state.location.search as { session?: string }
  expect(id).toBe(seen.sent[0]?.sessionId)
  stored.push(turn('t1'))
  unmount()

  const again = renderTry(`${address}?session=${id}`)
  expect(await screen.findByText('Answer t1')).toBeTruthy()
  expect(log()).toContain('1.2 s · 2 credits')
  await openMenu()
  const transcript = await screen.findByRole('menuitem', { name: 'Open transcript', hidden: true })
  expect(transcript.getAttribute('href')).toBe('/activity/conversations/c1')
  await userEvent.keyboard('{Escape}')
  await send('More')
  await waitFor(() => expect(log()).toContain('You said More'))
  expect(log()).toContain('Answer t1')
  expect(seen.sent[1]?.sessionId).toBe(id)
  again.unmount()

  const { router: third } = renderTry() // the tab's link has no session
  expect(await screen.findByText('Answer t1')).toBeTruthy()
  await fromChatMenu('New chat')
  expect(log()).not.toContain('Answer t1')
  expect(third.state.location.search).not.toHaveProperty('session', id)
})

test('a message that the service does not have is in the field again after a reload', async () => {
  const reply = async function* () {
    yield event('Delta', { text: 'The first half' })
    throw new Error('the connection breaks')
  }
  const stored: Record<string, unknown>[] = []
  service({ stored: () => stored, reply })
  const { router, unmount } = renderTry()
  await send('Hello')
  await screen.findByRole('button', { name: 'Retry' })
  expect(await composer()).toHaveProperty('value', '')
  unmount()
  const again = renderTry(router.state.location.href)
  expect(await composer()).toHaveProperty('value', 'Hello')
  again.unmount()
  stored.push(turn('t1', { message: 'Hello' }))
  renderTry(router.state.location.href)
  await screen.findByText('Answer t1')
  expect(await composer()).toHaveProperty('value', '')
})

test('signing out forgets which conversation was open', async () => {
  service({})
  renderTry()
  await send('Hello')
  await waitFor(() => expect(JSON.stringify({ ...sessionStorage })).toContain('playground'))
  session.signedOut()
  await waitFor(() => expect(JSON.stringify({ ...sessionStorage })).not.toContain('playground'))
})

test('a message that was under way when the page was left is followed until it is settled', async () => {
  let stored = [turn('t1', { state: 'PENDING', reply: null })]
  service({ stored: () => stored })
  renderTry(`${address}?session=s1`)
  expect(await screen.findByText('Question t1')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull() // its idempotency key is gone
  stored = [turn('t1')]
  expect(await screen.findByText('Answer t1', {}, { timeout: 3_000 })).toBeTruthy()
})

test('a retry that fails keeps the part of the reply that had arrived', async () => {
  const seen = service({
    reply: async function* (_, attempt) {
      if (attempt === 1) yield event('Delta', { text: 'The first half' })
      throw new Error('the connection breaks')
    },
  })
  renderTry()
  await send('Hello')
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(seen.sent).toHaveLength(2))
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy()
  expect(log()).toContain('The first half')
})
