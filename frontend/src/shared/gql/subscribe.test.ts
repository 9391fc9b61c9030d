import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TypedDocumentString } from '@/gql/graphql'
import { answer, inMinutes, refusal, server } from '@/shared/testing/server'
import { session } from './session'
import { subscribe } from './subscribe'

type Word = { word: string }
const Words = new TypedDocumentString<Word, { n: number }>('subscription Words($n: Int) { word(n: $n) }')

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.forget())

const next = (word: string) => `event: next\ndata: ${JSON.stringify({ data: { word } })}\n\n`
const failed = (code: string) =>
  `event: next\ndata: ${JSON.stringify({ data: null, errors: [{ message: 'No.', extensions: { code, requestId: 'r' } }] })}\n\n`
const complete = 'event: complete\ndata:\n\n'

/** Answers with these bytes, one chunk after another; `end` says how the body ends, `open` that it does not. */
function stream(chunks: (string | Uint8Array)[], end: 'close' | 'lost' | 'open' = 'close') {
  const seen = { requests: [] as Request[] }
  const bytes = new TextEncoder()
  server.use(
    http.post('*/graphql', ({ request }) => {
      seen.requests.push(request)
      const left = chunks.map((chunk) => (typeof chunk === 'string' ? bytes.encode(chunk) : chunk))
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          await new Promise((resolve) => setImmediate(resolve)) // or an error would overtake the chunk before it
          const chunk = left.shift()
          if (chunk) controller.enqueue(chunk)
          else if (end === 'close') controller.close()
          else if (end === 'lost') controller.error(new TypeError('terminated'))
          else await new Promise(() => undefined)
        },
      })
      return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } })
    }),
  )
  return seen
}

type Outcome = { words: string[]; error?: unknown }

async function read(options: { signal?: AbortSignal; onWord?: () => void } = {}): Promise<Outcome> {
  const words: string[] = []
  try {
    for await (const { word } of subscribe(Words, { n: 1 }, { signal: options.signal, timeoutMs: 100_000 })) {
      words.push(word)
      options.onWord?.()
    }
    return { words }
  } catch (error) {
    return { words, error }
  }
}

test('asks for events with the access token and a new request ID', async () => {
  const seen = stream([':\n\n', next('a'), next('b'), complete])
  expect(await read()).toEqual({ words: ['a', 'b'] })
  const [request] = seen.requests
  expect(request?.headers.get('Accept')).toBe('text/event-stream')
  expect(request?.headers.get('Authorization')).toBe('Bearer good')
  expect(request?.headers.get('X-Request-Id')).toMatch(/^panel-[0-9a-f]{32}$/)
  expect(await request?.json()).toEqual({ query: Words.toString(), variables: { n: 1 } })
})

const texts = ['naïve', '日本語 🎉👩‍👩‍👧', 'line\nbreak\r\n\u2028', ': no comment', 'event: complete']

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
])('reads the stream with %s, wherever it is split', async (_, newline) => {
  const whole = `:\n\n${texts.map((text) => `: ping\n\n${next(text)}`).join('')}${complete}`
  const bytes = new TextEncoder().encode(whole.replaceAll('\n', newline))
  for (let cut = 1; cut < bytes.length; cut++) {
    stream([bytes.subarray(0, cut), bytes.subarray(cut)])
    expect((await read()).words, `split at ${cut}`).toEqual(texts)
  }
  stream(Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1)))
  expect(await read()).toEqual({ words: texts })
})

test.each([
  ['the end without complete', [next('a')], 'close'],
  ['a lost connection', [next('a')], 'lost'],
  ['half an event', [next('a'), 'event: next\ndata: {"da'], 'close'],
  ['an event without its blank line', [next('a'), next('b').slice(0, -1)], 'close'],
] as const)('%s is a stream that broke off', async (_, chunks, end) => {
  stream([...chunks], end)
  expect(await read()).toMatchObject({ words: ['a'], error: { code: 'NETWORK' } })
})

test('ignores unknown events and everything after complete', async () => {
  stream([next('a'), 'event: later\ndata: {}\n\n', complete, next('b')])
  expect(await read()).toEqual({ words: ['a'] })
})

test('an error in the stream is thrown as it is, and not asked for again', async () => {
  const seen = stream([next('a'), failed('UNAUTHENTICATED'), complete])
  const { words, error } = await read()
  expect(words).toEqual(['a'])
  expect(error).toMatchObject({ name: 'ApiError', code: 'UNAUTHENTICATED', message: 'No.', requestId: 'r' })
  expect(seen.requests).toHaveLength(1)
})

test('an event that is no GraphQL response cannot be read', async () => {
  stream([next('a'), 'event: next\ndata: <html>\n\n', complete])
  expect(await read()).toMatchObject({ words: ['a'], error: { code: 'BAD_ANSWER' } })
})

test.each([
  [200, 'text/html', '<html>a portal</html>', 'BAD_ANSWER'],
  [200, 'application/json', '{"data":{"word":"a"}}', 'BAD_ANSWER'],
  [200, 'application/json', '{"errors":[{"message":"No.","extensions":{"code":"BAD_USER_INPUT"}}]}', 'BAD_USER_INPUT'],
  [422, 'application/json', '{"errors":[{"message":"No.","extensions":{"code":"BAD_USER_INPUT"}}]}', 'BAD_USER_INPUT'],
  [429, 'application/json', '{"errors":[{"message":"No.","extensions":{"code":"RATE_LIMITED"}}]}', 'RATE_LIMITED'],
  [502, 'text/html', '<h1>Bad gateway</h1>', 'UNAVAILABLE'],
  [503, 'text/event-stream', '', 'UNAVAILABLE'],
])('status %i with %s %s is %s', async (status, type, body, code) => {
  server.use(
    http.post(
      '*/graphql',
      () => new HttpResponse(body, { status, headers: { 'Content-Type': type, 'X-Request-Id': 'seen' } }),
    ),
  )
  expect(await read()).toMatchObject({ words: [], error: { code, requestId: 'seen' } })
})

test('a refused token is renewed once', async () => {
  const tokens: (string | null)[] = []
  answer({ renewAccess: { accessToken: 'new', expiresAt: inMinutes(15) } })
  const events = new TextEncoder().encode(next('a') + complete)
  server.use(
    http.post('*/graphql', ({ request }) => {
      if (request.headers.get('Accept') !== 'text/event-stream') return
      tokens.push(request.headers.get('Authorization'))
      if (tokens.length === 1) {
        const error = { message: 'No.', extensions: refusal('UNAUTHENTICATED', 'No.').extensions }
        return HttpResponse.json({ errors: [error] }, { status: 401 })
      }
      return new HttpResponse(events, { headers: { 'Content-Type': 'text/event-stream' } })
    }),
  )
  expect(await read()).toEqual({ words: ['a'] })
  expect(tokens).toEqual(['Bearer good', 'Bearer new'])
})

test('a missing connection is a NETWORK error', async () => {
  server.use(http.post('*/graphql', () => HttpResponse.error()))
  expect(await read()).toMatchObject({ words: [], error: { code: 'NETWORK' } })
})

test("the reader's own abort stays what it is", async () => {
  stream([next('a'), next('b')], 'open')
  const abort = new AbortController()
  const { words, error } = await read({ signal: abort.signal, onWord: () => abort.abort() })
  expect(words).toEqual(['a'])
  expect(error).toMatchObject({ name: 'AbortError' })
})

/** A stream that the test feeds by hand. */
function fed() {
  const bytes = new TextEncoder()
  let give = (_text: string) => {}
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      give = (text) => controller.enqueue(bytes.encode(text))
    },
  })
  server.use(http.post('*/graphql', () => new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } })))
  return { give: (text: string) => give(text) }
}

test.each([
  ['silence', false, 40_000],
  ['its time, however much is heard of it', true, 100_000],
])('a stream ends after %s', async (_, comments, expected) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { give } = fed()
  give(next('a'))
  let started = () => {}
  const first = new Promise<void>((resolve) => {
    started = resolve
  })
  let outcome: Outcome | undefined
  void read({ onWord: started }).then((it) => {
    outcome = it
  })
  await first
  let passed = 0
  for (; !outcome && passed < 200_000; passed += 5_000) {
    if (comments) give(':\n\n')
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(5_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(outcome).toMatchObject({ words: ['a'], error: { code: 'TIMEOUT' } })
  expect(passed).toBe(expected)
})
