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
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Request-Id': requestId,
        ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
      },
      body: JSON.stringify({ query: document.toString(), variables }),
      credentials: 'same-origin',
      signal,
    })
    return await read<Result>(response, requestId)
  } catch (error) {
    if (error instanceof ApiError || options.signal?.aborted) throw error
    if (timeout.aborted) throw new ApiError('TIMEOUT', '', { requestId, cause: error })
    throw new ApiError('NETWORK', '', { requestId, cause: error })
  }
}

async function read<Result>(response: Response, sentId: string): Promise<Answer<Result>> {
  const requestId = response.headers.get('X-Request-Id') ?? sentId
  const text = await response.text()
  let body: { data?: Result | null; errors?: WireError[] } | null
  try {
    body = JSON.parse(text)
  } catch (cause) {
    // A proxy's page, for instance: it says that the service is not there.
    throw new ApiError(response.status >= 500 ? 'UNAVAILABLE' : 'BAD_ANSWER', '', { requestId, cause })
  }
  const first = body?.errors?.[0]
  if (first) {
    const { code, fields, retryAfterSeconds, requestId: named } = first.extensions ?? {}
    throw new ApiError(code ?? 'INTERNAL', first.message, { requestId: named ?? requestId, fields, retryAfterSeconds })
  }
  if (!response.ok || body?.data == null) {
    throw new ApiError(response.status >= 500 ? 'UNAVAILABLE' : 'BAD_ANSWER', '', { requestId })
  }
  return { data: body.data, serverTime: Date.parse(response.headers.get('Date') ?? '') || Date.now() }
}

/** A request id of the panel's own. crypto.randomUUID is missing on plain http, getRandomValues is not. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `panel-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
