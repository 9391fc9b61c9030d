import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test } from 'vitest'
import type { SendTestMessageInput } from '@/gql/graphql'
import { session } from '@/shared/gql'
import { refusal, server } from '@/shared/testing/server'
import { write } from '@/testing/write'
import { composer, fromChatMenu, openMenu, renderTry, send, service } from './testing'

afterEach(() => session.signedOut())

const pane = async () => within(await screen.findByRole('region', { name: 'Try' }))

test('Enter sends, Shift+Enter starts a line; the reply is Markdown with its price, and the balance is refetched', async () => {
  const seen = service()
  renderTry()
  await composer()
  const read = seen.viewers
  await userEvent.type(await composer(), 'one{Shift>}{Enter}{/Shift}two{Enter}')
  const log = screen.getByRole('log')
  expect((await within(log).findByText(/one\s+two/, { selector: 'strong' })).tagName).toBe('STRONG')
  expect(seen.sent[0]?.message).toBe('one\ntwo')
  expect(log.textContent).toContain('1.2 s · 2 credits')
  await waitFor(() => expect(seen.viewers).toBeGreaterThan(read))
})

test('F gives Try the whole window, and Escape Build again; the conversation goes on', async () => {
  service()
  const { router } = renderTry()
  await userEvent.type(await composer(), 'of all{Enter}')
  await screen.findByText('of all', { selector: 'strong' })
  expect(router.state.location.search).not.toHaveProperty('try') // F was typed
  await userEvent.click(screen.getByRole('log'))
  await userEvent.keyboard('f')
  await waitFor(() => expect(router.state.location.search).toHaveProperty('try', 'window'))
  expect(await screen.findByRole('heading', { name: 'Try Shop' })).toBeTruthy()
  expect(screen.getByText('of all', { selector: 'strong' })).toBeTruthy()

  await openMenu()
  await screen.findByRole('menu')
  await userEvent.keyboard('{Escape}') // closes the menu alone
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  expect(router.state.location.search).toHaveProperty('try', 'window')
  await userEvent.type(await composer(), '{Escape}')
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('try'))
  await userEvent.click((await pane()).getByRole('button', { name: 'Full screen' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Exit full screen' }))
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('try'))
  expect(screen.getByText('of all', { selector: 'strong' })).toBeTruthy()
})

test('a reply says when the fallback model gave it', async () => {
  service({ send: () => ({ model: 'demo/second', fallback: true, credits: 3 }) })
  renderTry()
  await send('hello')
  await screen.findByText('hello', { selector: 'strong' })
  expect(screen.getByRole('log').textContent).toContain('3 credits · answered by the fallback model demo/second')
})

test('a reply can be rated in Try', async () => {
  service()
  renderTry()
  await send('hello')
  await userEvent.click(await screen.findByRole('button', { name: 'Good reply' }))
  expect(await screen.findByText('Rated good by Ada')).toBeTruthy()
})

test('an example fills the message field, which has the focus then', async () => {
  const seen = service()
  renderTry()
  await userEvent.click(await screen.findByRole('button', { name: 'What can you help me with?' }))
  expect(document.activeElement).toBe(await composer())
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(seen.sent[0]?.message).toBe('What can you help me with?'))
})

test('under a reply: it can be shown as it was sent, and its tokens are in a menu', async () => {
  service({ send: () => ({ inputTokens: 1163, outputTokens: 1, firstTextMs: 400 }) })
  renderTry()
  await send('hello')
  await screen.findByText('hello', { selector: 'strong' })
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  expect(await screen.findByText('1,163 tokens in, 1 out')).toBeTruthy()
  expect(screen.getByText('first text 400 ms')).toBeTruthy()
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Raw', hidden: true }))
  expect(await screen.findByText('You said **hello**')).toBeTruthy()
})

test('Ctrl+Enter sends too', async () => {
  const seen = service()
  renderTry()
  await userEvent.type(await composer(), 'hello{Control>}{Enter}{/Control}')
  await screen.findByText('hello', { selector: 'strong' })
  expect(seen.sent).toHaveLength(1)
})

test('a reply in shape says that it fits, and one that does not is shown with the way to try again', async () => {
  const json = '{"state":"shipped"}'
  service({
    send: (_, attempt) =>
      attempt === 1
        ? { reply: json, output: json }
        : { state: 'FAILED', errorCode: 'invalid_output', reply: null, misfit: 'Shipped!', credits: 0 },
  })
  renderTry()
  await send('one')
  expect(await screen.findByText('Matches the schema')).toBeTruthy()
  expect(screen.getByRole('group', { name: 'Agent:' }).textContent).toContain('{\n  "state": "shipped"\n}')
  await send('two')
  expect(await screen.findByText('The reply didn’t match the schema or the actions')).toBeTruthy()
  expect(screen.getByRole('group', { name: 'Reply that didn’t match' }).textContent).toContain('Shipped!')
  expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
})

test('actions are answered by hand, all at once, or closed by a message', async () => {
  const call = (id: string, name: string) => ({ id, name, arguments: '{"order":"A-1"}', state: 'OPEN' })
  const asked = { reply: '', actionCalls: [call('act_1', 'order_status'), call('act_2', 'refund')] }
  const seen = service({ send: (_, attempt) => (attempt === 1 || attempt === 3 ? asked : { reply: 'Done.' }) })
  renderTry()
  await send('Where is it?')
  const form = within(await screen.findByRole('form', { name: 'Results of the waiting actions' }))
  const calls = screen.getByRole('region', { name: 'Actions called' })
  expect(within(calls).getByRole('group', { name: 'Arguments of order_status' }).textContent).toContain(
    '"order": "A-1"',
  )
  expect(within(calls).getAllByText('Waiting')).toHaveLength(2)
  await userEvent.click(form.getByRole('textbox', { name: 'Result of order_status' }))
  await userEvent.paste('shipped')
  await userEvent.click(form.getByRole('button', { name: 'Send results' }))
  expect(form.getAllByText(/^Enter one JSON value/)).toHaveLength(2)
  expect(document.activeElement).toBe(form.getByRole('textbox', { name: 'Result of order_status' }))
  await userEvent.clear(form.getByRole('textbox', { name: 'Result of order_status' }))
  await userEvent.paste('{"id": 12345678901234567890}')
  const refund = form.getByRole('radiogroup', { name: 'Outcome of refund' })
  await userEvent.click(within(refund).getByRole('radio', { name: 'Failed' }))
  await write(form.getByRole('textbox', { name: 'Error of refund' }), 'Too late.')
  await userEvent.click(form.getByRole('button', { name: 'Send results' }))
  expect(await screen.findByText('Done.')).toBeTruthy()
  expect(seen.sent[1]).toMatchObject({
    sessionId: seen.sent[0]?.sessionId,
    actionResults: [
      { id: 'act_1', result: '{"id": 12345678901234567890}' },
      { id: 'act_2', error: 'Too late.' },
    ],
  })
  expect(seen.sent[1]?.message ?? null).toBeNull()
  expect(within(calls).getAllByText('Answered')).toHaveLength(2)
  expect(screen.getByRole('region', { name: 'Action results' }).textContent).toContain('Too late.')
  expect(screen.queryByRole('form', { name: 'Results of the waiting actions' })).toBeNull()

  await send('And now?')
  await screen.findByRole('form', { name: 'Results of the waiting actions' })
  await send('Never mind.')
  await waitFor(() => expect(screen.getAllByText('Not run')).toHaveLength(2))
  expect(screen.queryByRole('form', { name: 'Results of the waiting actions' })).toBeNull()
})

test('messages of one page share their session, each with its own key; a new conversation has another', async () => {
  const seen = service()
  renderTry()
  for (const text of ['one', 'two']) {
    await send(text)
    await screen.findByText(text, { selector: 'strong' })
  }
  await fromChatMenu('New chat')
  expect(screen.queryByText('one', { selector: 'strong' })).toBeNull()
  await send('three')
  await screen.findByText('three', { selector: 'strong' })
  const [first, second, third] = seen.sent
  expect(first?.sessionId).toBe(second?.sessionId)
  expect(third?.sessionId).not.toBe(first?.sessionId)
  expect(new Set(seen.sent.map((input) => input.idempotencyKey)).size).toBe(3)
})

test.each([
  ['model_timeout', 'The model took too long', true],
  ['content_blocked', 'The model’s safety rules blocked this message', false],
  ['a_later_code', 'No reply', true],
])('a turn that failed with %s says so in plain words', async (errorCode, words, retry) => {
  const seen = service({
    send: (_, attempt) => (attempt === 1 ? { state: 'FAILED', errorCode, reply: null, credits: 0 } : {}),
  })
  renderTry()
  await send('hello')
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getByText('Not charged.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Retry' }) !== null).toBe(retry)
  if (!retry) return
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText('hello', { selector: 'strong' })
  expect(seen.sent[1]?.idempotencyKey).not.toBe(seen.sent[0]?.idempotencyKey)
  expect(screen.queryByText(words)).toBeNull()
})

test('a lost answer is retried with the same key', async () => {
  const seen = service()
  const keys: unknown[] = []
  let lost = false
  server.use(
    http.post('*/graphql', async ({ request }) => {
      const { query, variables } = (await request.clone().json()) as {
        query: string
        variables: { input: SendTestMessageInput }
      }
      if (!query.includes('testMessage') || lost) return
      lost = true
      keys.push(variables.input.idempotencyKey)
      return HttpResponse.error()
    }),
  )
  renderTry()
  await send('hello')
  expect((await screen.findByText(/Can’t reach the service/)).textContent).toContain('You won’t be charged twice')
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText('hello', { selector: 'strong' })
  expect(seen.sent.map((input) => input.idempotencyKey)).toEqual(keys)
})

test('without credits it says why, with the help of the operator', async () => {
  service({ credits: 1 })
  renderTry()
  expect(await screen.findByText('Not enough credits')).toBeTruthy()
  expect(await screen.findByText('Write to the operator')).toBeTruthy()
  await write(await composer(), 'hello')
  expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true)
})

test('a draft without a model leads to choosing one', async () => {
  service({ agent: { model: null, state: 'DRAFT' } })
  renderTry()
  expect(await screen.findByText('This agent has no model yet')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Choose a model to try the draft.' }).getAttribute('href')).toBe(
    '/agents/a1?node=model',
  )
})

test('a reply brings neither images, nor HTML, nor scripts', async () => {
  const reply = '![spy](https://evil.example/x.png) <img src=x onerror=alert(1)> [click](javascript:alert(1)) # end'
  service({ send: () => ({ reply }) })
  const { container } = renderTry()
  await send('hello')
  await screen.findByText('spy')
  expect(screen.getByRole('log').textContent).toContain('<img src=x onerror=alert(1)>')
  expect(container.querySelector('img')).toBeNull()
  expect(screen.queryByRole('link', { name: 'click' })).toBeNull()
})

test('a reply that cannot be parsed as Markdown is shown as plain text', async () => {
  const reply = `**x**\n\n${'> '.repeat(60)}deep`
  const seen = service({ send: () => ({ reply }) })
  renderTry()
  await send('hello')
  await waitFor(() => expect(screen.getByRole('log').textContent).toContain('1.2 s'))
  expect(seen.sent).toHaveLength(1)
  expect(screen.getByRole('log').textContent).toContain(reply)
  expect(screen.getByRole('log').querySelector('strong, blockquote')).toBeNull()
})

test('as cURL shows the message as a short call of this server, with the variable for the key', async () => {
  const seen = service()
  renderTry()
  await send("it's me")
  await screen.findByText("it's me", { selector: 'strong' })
  await fromChatMenu('View as cURL')
  const command = (await screen.findByRole('region', { name: 'This message as cURL' })).textContent ?? ''
  expect(command).toContain(`curl ${window.location.origin}/v1/agent/chat`)
  expect(command).toContain('$AGENTCHAT_API_KEY')
  expect(command).toContain(`{"message": "it'\\''s me", "session_id": "${seen.sent[0]?.sessionId}"}`)
  expect(command.split('\n').length).toBeLessThanOrEqual(5)
})

test('a model that is known to be away is a refusal, not an answer that may have been lost', async () => {
  const away = 'The model is overloaded or away. Nothing was charged; try again later.'
  const seen = service({
    send: (_, attempt) => {
      if (attempt === 1) throw refusal('UNAVAILABLE', away, { retryAfterSeconds: 8 })
      if (attempt === 2) throw refusal('UNAVAILABLE', 'The service cannot answer right now.')
      return {}
    },
  })
  renderTry()
  await send('hello')
  const log = screen.getByRole('log')
  expect(await within(log).findByText(away)).toBeTruthy()
  expect(log.textContent).not.toContain('It may still have been answered')
  await userEvent.click(within(log).getByRole('button', { name: 'Retry' }))
  expect(await within(log).findByText(/cannot answer right now\. It may still have been answered/)).toBeTruthy()
  await userEvent.click(within(log).getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(log.textContent).toContain('1.2 s · 2 credits'))
  expect(seen.sent.length).toBe(3)
})
