import { createParser } from 'eventsource-parser'
import type { TypedDocumentString } from '@/gql/graphql'
import { ApiError } from './errors'
import { asSignedIn } from './gql'
import { ask, dataOf, newRequestId, sourceOf, type Whole } from './post'

/** The server sends a comment at least every 15 s: a connection that misses two of them is dead. */
const silenceMs = 40_000

const eventStream = 'text/event-stream'

export type SubscribeOptions = {
  signal?: AbortSignal
  /** Timeout of the whole stream, in milliseconds. */
  timeoutMs: number
}

/**
 * Sends one subscription as the signed-in account and yields its data until the server completes it. A rejected token is
 * renewed once. Every failure is an ApiError, including a broken stream (NETWORK), except the caller's own abort, which is
 * rethrown. To stop reading closes the connection.
 */
export async function* subscribe<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { signal, timeoutMs }: SubscribeOptions,
): AsyncGenerator<Whole<Result>, void, undefined> {
  const watch = new Watch(timeoutMs)
  const either = signal ? AbortSignal.any([signal, watch.signal]) : watch.signal
  let requestId = newRequestId()
  try {
    const response = await asSignedIn(async (sender) => {
      requestId = newRequestId()
      const opened = await ask(document, variables, { requestId, signal: either, sender, accept: eventStream })
      if (!isStream(opened)) dataOf(await opened.text(), sourceOf(opened, requestId)) // throws the service's error
      return opened
    })
    requestId = response.headers.get('X-Request-Id') ?? requestId
    if (!isStream(response)) throw new ApiError('BAD_ANSWER', '', { requestId })
    for await (const text of dataIn(response.body, either, () => watch.heard())) {
      yield dataOf<Result>(text, { status: response.status, requestId })
    }
  } catch (error) {
    if (error instanceof ApiError || signal?.aborted) throw error
    throw new ApiError(watch.signal.aborted ? 'TIMEOUT' : 'NETWORK', '', { requestId, cause: error })
  } finally {
    watch.end()
  }
}

function isStream(response: Response): response is Response & { body: ReadableStream<Uint8Array<ArrayBuffer>> } {
  const type = response.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  return response.ok && type === eventStream && response.body !== null
}

/** The data of the stream's `next` events, up to `complete`. Throws if aborted, or if the stream ends without it. */
async function* dataIn(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
  heard: () => void,
): AsyncGenerator<string, void, undefined> {
  const ready: string[] = []
  let complete = false
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === 'complete') complete = true
      else if (event === 'next' && !complete) ready.push(data)
    },
  })
  const characters = new TextDecoder()
  const reader = body.getReader()
  // An aborted stream has already failed: there is nothing left to cancel.
  const leave = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', leave)
  try {
    while (!complete) {
      const { value, done } = await reader.read()
      signal.throwIfAborted()
      if (done) throw new Error('the stream broke off')
      heard()
      parser.feed(characters.decode(value, { stream: true }))
      for (const data of ready.splice(0)) {
        signal.throwIfAborted()
        yield data
      }
    }
  } finally {
    signal.removeEventListener('abort', leave)
    if (!complete) leave()
  }
}

/** Aborts its signal if the stream takes too long, or is silent for too long. */
class Watch {
  readonly #abort = new AbortController()
  readonly #whole: ReturnType<typeof setTimeout>
  #silence: ReturnType<typeof setTimeout> | undefined

  constructor(timeoutMs: number) {
    this.#whole = setTimeout(() => this.#abort.abort(), timeoutMs)
    this.heard()
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  heard() {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.#abort.abort(), silenceMs)
  }

  end() {
    clearTimeout(this.#whole)
    clearTimeout(this.#silence)
  }
}
