import type { TypedDocumentString } from '@/gql/graphql'
import { ApiError, type FieldError } from './errors'

const usualTimeoutMs = 30_000

export type PostOptions = {
  signal?: AbortSignal
  /** How long the answer may take; 30 s when not given. */
  timeoutMs?: number
}

export type Answer<Result> = {
  data: Result
  /** The server's clock, for those who compare its times: this machine's may be wrong. */
  serverTime: number
}

type WireError = {
  message: string
  extensions?: { code?: string; requestId?: string; fields?: FieldError[]; retryAfterSeconds?: number }
}

/** Sends one GraphQL operation, once. Every failure is an ApiError, but the caller's own abort, which stays what it is. */
export async function post<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables | undefined,
  options: PostOptions & { token?: string } = {},
): Promise<Answer<Result>> {
  const requestId = newRequestId()
  const timeout = AbortSignal.timeout(options.timeoutMs ?? usualTimeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  try {
    const response = await ask(document, variables, { requestId, signal, token: options.token })
    return await readAnswer<Result>(response, requestId)
  } catch (error) {
    if (error instanceof ApiError || options.signal?.aborted) throw error
    if (timeout.aborted) throw new ApiError('TIMEOUT', '', { requestId, cause: error })
    throw new ApiError('NETWORK', '', { requestId, cause: error })
  }
}

/** The request itself. `accept` asks for another form of answer than JSON. */
export function ask<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables | undefined,
  { requestId, signal, token, accept }: { requestId: string; signal: AbortSignal; token?: string; accept?: string },
): Promise<Response> {
  return fetch('/graphql', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Request-Id': requestId,
      ...(accept === undefined ? {} : { Accept: accept }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query: document.toString(), variables }),
    credentials: 'same-origin',
    signal,
  })
}

/** Reads an answer in JSON. */
export async function readAnswer<Result>(response: Response, sentId: string): Promise<Answer<Result>> {
  const { status, headers } = response
  const data = dataOf<Result>(await response.text(), { status, requestId: headers.get('X-Request-Id') ?? sentId })
  return { data, serverTime: Date.parse(headers.get('Date') ?? '') || Date.now() }
}

/** The data of one GraphQL response; its errors, and whatever is no such response, are thrown as ApiError. */
export function dataOf<Result>(text: string, { status, requestId }: { status: number; requestId: string }): Result {
  // A proxy's page, for instance, says that the service is not there.
  const unreadable = status >= 500 ? 'UNAVAILABLE' : 'BAD_ANSWER'
  let body: { data?: Result | null; errors?: WireError[] } | null
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new ApiError(unreadable, '', { requestId, cause })
  }
  const first = body?.errors?.[0]
  if (first) {
    const { code, fields, retryAfterSeconds, requestId: named } = first.extensions ?? {}
    throw new ApiError(code ?? 'INTERNAL', first.message, { requestId: named ?? requestId, fields, retryAfterSeconds })
  }
  if (status < 200 || status > 299 || body?.data == null) throw new ApiError(unreadable, '', { requestId })
  return body.data
}

/** A request id of the panel's own. crypto.randomUUID is missing on plain http, getRandomValues is not. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `panel-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
