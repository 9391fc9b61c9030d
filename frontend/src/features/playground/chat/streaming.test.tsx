import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import { session } from '@/shared/gql'
import { server } from '@/shared/testing/server'
import { LiveText } from '../messages/liveText'
import { composer, event, openMenu, renderTry, send, service } from '../testing'

afterEach(() => session.signedOut())

const log = () => screen.getByRole('log')
const delta = (text: string) => event('Delta', { text })
const never = () => new Promise<void>(() => undefined)

/** Stops the message, and lets the pauses between the questions for its outcome pass. */
async function stop(button: string | RegExp) {
  await userEvent.click(await screen.findByRole('button', { name: button }))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await vi.waitFor(async () => {
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    screen.getByText('You stopped this message')
  }, 30_000)
  await act(() => vi.advanceTimersByTimeAsync(1)) // a query that waits for others would hold up those of later tests
  vi.useRealTimers()
}

/** A point at which a reply waits for the test. */
function gate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), passed }
}

const turn = {
  id: 't1',
  message: 'hello',
  reply: null,
  state: 'FAILED',
  requestId: 'req-7',
  model: 'demo/echo',
  fallback: false,
  actionCalls: [],
  sources: [],
  actionResults: [],
  credits: 0,
  durationMs: 900,
}

async function say(text = 'hello') {
  const page = renderTry()
  await send(text)
  return page
}

test('the words stand there before the reply is whole, as they are and not read out; then it is markdown', async () => {
  const half = gate()
  service({
    reply: async function* () {
      yield delta('You said ')
      yield delta('**hel')
      await half.passed
      yield delta('lo**')
    },
  })
  await say()
  const coming = await screen.findByText('You said **hel')
  expect(coming.closest('[aria-live="off"]')?.getAttribute('aria-busy')).toBe('true')
  expect(log().contains(coming)).toBe(true)
  expect(screen.getByText('Receiving the reply…')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true)
  half.open()
  expect((await within(log()).findByText('hello', { selector: 'strong' })).closest('[aria-live="off"]')).toBeNull()
  expect(screen.queryByText('Receiving the reply…')).toBeNull()
  expect(screen.queryByRole('button', { name: /Stop/ })).toBeNull()
})

test('the button says what stopping costs: nothing before the first word, the full price after it', async () => {
  const word = gate()
  service({
    reply: async function* () {
      await word.passed
      yield delta('You')
      await never()
    },
  })
  await say()
  expect(await screen.findByRole('button', { name: 'Stop (free)' })).toBeTruthy()
  word.open()
  expect(await screen.findByRole('button', { name: 'Stop and keep this part (2 credits)' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Stop (free)' })).toBeNull()
})

test('stopped before the first word: the service is asked until it has settled, and nothing was taken', async () => {
  let asked = 0
  const seen = service({
    reply: async function* () {
      await never()
      yield delta('late')
    },
    stored: () => [asked++ === 0 ? { ...turn, state: 'PENDING' } : { ...turn, errorCode: 'stopped' }],
  })
  await say()
  const stop = await screen.findByRole('button', { name: 'Stop (free)' })
  asked = 0
  const viewers = seen.viewers
  await userEvent.click(stop)
  expect(await screen.findByText('Stopped before the first word')).toBeTruthy()
  expect(asked).toBeGreaterThan(1)
  expect(screen.getByText('Not charged.')).toBeTruthy()
  expect(document.activeElement).toBe(await composer())
  await waitFor(() => expect(seen.viewers).toBeGreaterThan(viewers))
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(seen.sent).toHaveLength(2))
  expect(seen.sent[1]?.idempotencyKey).not.toBe(seen.sent[0]?.idempotencyKey)
})

test('results that are stopped before the first word leave the actions open, to be answered again', async () => {
  const call = { id: 'act_1', name: 'wait', arguments: '{}', state: 'OPEN' }
  const asked = { ...turn, reply: 'Let me look.', state: 'ANSWERED', finishReason: 'actions', actionCalls: [call] }
  const bringing = { id: 't2', message: '', actionResults: [{ callId: 'act_1', name: 'wait', result: '1' }] }
  let polls = 0
  const seen = service({
    send: (_, attempt) => (attempt === 1 ? asked : { reply: 'Done.' }),
    // Stopped before the service has said which turn it is: the results tell.
    start: () => (seen.sent.length === 2 ? never() : Promise.resolve()),
    stored: () => {
      if (seen.sent.length < 2) return []
      // First there are others, from another page.
      const others = { ...turn, id: 't0', message: '', actionResults: [{ callId: 'act_0', name: 'wait', result: '1' }] }
      const settled = { ...turn, ...bringing, errorCode: 'stopped' }
      return [polls++ === 0 ? { ...others, reply: 'Another.', state: 'ANSWERED' } : settled]
    },
  })
  await say()
  const answer = async (text: string) => {
    const form = within(await screen.findByRole('form', { name: 'Results of the waiting actions' }))
    await userEvent.click(form.getByRole('textbox', { name: 'Result of wait' }))
    await userEvent.clear(form.getByRole('textbox', { name: 'Result of wait' }))
    await userEvent.paste(text)
    await userEvent.click(form.getByRole('button', { name: 'Send result' }))
  }
  await answer('1')
  await waitFor(() => expect(seen.sent).toHaveLength(2))
  const stop = await screen.findByRole('button', { name: 'Stop (free)' })
  polls = 0
  await userEvent.click(stop)
  expect(await screen.findByText('Stopped before the first word')).toBeTruthy()
  expect(polls).toBeGreaterThan(1)
  expect(screen.getByText('Waiting')).toBeTruthy()
  await answer('2')
  expect(await screen.findByText('Done.')).toBeTruthy()
  expect(seen.sent[2]).toMatchObject({ actionResults: [{ id: 'act_1', result: '2' }] })
  expect(screen.getByText('Answered')).toBeTruthy()
  expect(screen.queryByRole('form', { name: 'Results of the waiting actions' })).toBeNull()
})

test('Stop is seen at once, also while the sign-in is being renewed', async () => {
  service()
  server.use(
    http.post('*/graphql', async ({ request }) => {
      const { query } = (await request.clone().json()) as { query: string }
      if (query.includes('RenewAccess')) await never()
      if (request.headers.get('Accept') !== 'text/event-stream') return
      const errors = [{ message: 'No.', extensions: { code: 'UNAUTHENTICATED' } }]
      return HttpResponse.json({ errors }, { status: 401 })
    }),
  )
  await say()
  await userEvent.click(await screen.findByRole('button', { name: 'Stop (free)' }))
  expect(await screen.findByText('Stopping…')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Stop/ })).toBeNull()
  expect(document.activeElement).toBe(await composer())
})

test('stopped after the first word: what the service kept is shown, marked, with its price', async () => {
  const kept = { ...turn, reply: 'You said **some', state: 'ANSWERED', finishReason: 'stopped', credits: 2 }
  service({
    reply: async function* () {
      yield delta('You said ')
      await never()
    },
    stored: () => [kept],
  })
  await say()
  await userEvent.click(await screen.findByRole('button', { name: /keep this part/ }))
  expect(await screen.findByText('Stopped')).toBeTruthy()
  expect(log().textContent).toContain('You said **some')
  expect(log().textContent).toContain('900 ms · 2 credits')
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  await openMenu()
  const transcript = await screen.findByRole('menuitem', { name: 'Open transcript', hidden: true })
  expect(transcript.getAttribute('href')).toBe('/activity/conversations/c1')
})

test.each([
  ['timeout', /^Cut off at the model’s time limit\. This part was kept and charged/],
  ['content_blocked', /^Stopped by the model’s safety rules\. This part was charged/],
])('a reply that ended by %s after the first word says what was charged', async (finishReason, words) => {
  service({
    send: () => ({ reply: 'You said', finishReason }),
    reply: async function* () {
      yield delta('You said')
    },
  })
  await say()
  expect(await screen.findByText(words)).toBeTruthy()
  expect(log().textContent).toContain('2 credits')
})

test('a reply that was whole before the stop came is shown whole', async () => {
  service({
    reply: async function* () {
      yield delta('You said ')
      await never()
    },
    stored: () => [{ ...turn, reply: 'You said **hello**', state: 'ANSWERED', finishReason: 'stop', credits: 2 }],
  })
  await say()
  await userEvent.click(await screen.findByRole('button', { name: /keep this part/ }))
  expect(await within(log()).findByText('hello', { selector: 'strong' })).toBeTruthy()
  expect(screen.queryByText('Stopped')).toBeNull()
})

test('a stop of which the service says nothing makes no claim, and keeps the key', async () => {
  const seen = service({
    reply: async function* (_, attempt) {
      if (attempt > 1) return
      yield delta('You said ')
      await never()
    },
    stored: () => [{ ...turn, id: 'another', message: 'other', state: 'ANSWERED', credits: 2 }],
  })
  await say()
  await stop(/keep this part/)
  expect(screen.getByText(/^It may still have been answered\./)).toBeTruthy()
  expect(log().textContent).toContain('You said ')
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await within(log()).findByText('hello', { selector: 'strong' })
  expect(seen.sent[1]?.idempotencyKey).toBe(seen.sent[0]?.idempotencyKey)
})

test('a message stopped before the service accepted it was not charged', async () => {
  service({
    start: never,
    stored: () => [{ ...turn, id: 'another', message: 'other', state: 'ANSWERED', credits: 2 }],
  })
  await say()
  await stop('Stop (free)')
  expect(screen.getByText('The message wasn’t accepted. Not charged.')).toBeTruthy()
})

test('leaving the page stops the reply', async () => {
  const seen: Request[] = []
  server.events.on('request:start', ({ request }) => void seen.push(request))
  service({
    reply: async function* () {
      yield delta('You said')
      await never()
    },
  })
  const { unmount } = await say()
  await screen.findByText('You said')
  const sent = seen.find(({ headers }) => headers.get('Accept') === 'text/event-stream')
  expect(sent?.signal.aborted).toBe(false)
  unmount()
  expect(sent?.signal.aborted).toBe(true)
  server.events.removeAllListeners()
})

test('a reply that broke off keeps its words, and its retry the key', async () => {
  const seen = service({
    reply: async function* (_, attempt) {
      if (attempt > 1) return
      yield delta('You said')
      // The words are read before the connection goes.
      await screen.findByText('You said')
      throw new Error('gone')
    },
  })
  await say()
  expect(await screen.findByText('The reply was cut off')).toBeTruthy()
  expect(screen.getByText('You said')).toBeTruthy()
  expect(screen.getByText(/Retry shows the part that was kept\. You won’t be charged twice\./)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await within(log()).findByText('hello', { selector: 'strong' })
  expect(seen.sent[1]?.idempotencyKey).toBe(seen.sent[0]?.idempotencyKey)
  expect(screen.queryByText(/was cut off/)).toBeNull()
})

test('a model that fails in the middle: its words are marked as not kept, and nothing was taken', async () => {
  service({
    send: () => ({ state: 'FAILED', errorCode: 'model_error', reply: null, credits: 0 }),
    reply: async function* () {
      yield delta('You said')
    },
  })
  await say()
  expect(await screen.findByText('The model returned an error')).toBeTruthy()
  expect(screen.getByText('You said')).toBeTruthy()
  expect(screen.getByText('Not charged. The part above wasn’t saved.')).toBeTruthy()
})

test('a reply of ten thousand pieces is drawn once a frame', async () => {
  const live = new LiveText()
  let notified = 0
  live.append('before ')
  expect(live.shown()).toBe('before ')
  const leave = live.subscribe(() => notified++)
  for (let number = 0; number < 10_000; number++) live.append('word ')
  expect(live.shown()).toBe('before ')
  await waitFor(() => expect(notified).toBe(1))
  expect(live.shown()).toBe(live.text)
  expect(live.text).toHaveLength(50_007)
  leave()
  live.append('after')
  expect(live.shown()).toBe(live.text)
  expect(notified).toBe(1)
})
