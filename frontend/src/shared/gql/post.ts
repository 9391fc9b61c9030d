import type { TypedDocumentString } from '@/gql/graphql'
import { hearServerTime, serverNow } from '@/shared/time/clock'
import { ApiError, type FieldError } from './errors'

const usualTimeoutMs = 30_000

export type PostOptions = {
  signal?: AbortSignal
  /** Timeout in milliseconds; default 30 s. */
  timeoutMs?: number
  /** Whether it is about the user alone, and so names no account. */
  ofUser?: boolean
}

/** Who sends a request, and the account that it is about. */
export type Sender = { token: string; account?: string }

/** The data of an answer without errors, whose root fields are there: null is an error, too. */
export type Whole<Result> = { [Field in keyof Result]: NonNullable<Result[Field]> }

export type Answer<Result> = {
  data: Whole<Result>
  /** The server's time in milliseconds: this machine's clock may be wrong. */
  serverTime: number
}

type WireError = {
  message: string
  path?: (string | number)[]
  extensions?: {
    code?: string
    requestId?: string
    fields?: FieldError[]
    retryAfterSeconds?: number
    reason?: string
  }
}

/** Sends one GraphQL operation, once. Every failure is an ApiError, except the caller's own abort, which is rethrown. */
export async function post<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables | undefined,
  options: PostOptions & { sender?: Sender } = {},
): Promise<Answer<Result>> {
  const { body, of } = await exchange(document, variables, options)
  return { data: dataIn<Result>(body, of), serverTime: serverNow() }
}

/** Sends one GraphQL operation, once, and reads the response. */
export async function exchange<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables | undefined,
  options: PostOptions & { sender?: Sender },
): Promise<{ body: Body; of: Source }> {
  const requestId = newRequestId()
  const timeout = AbortSignal.timeout(options.timeoutMs ?? usualTimeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  try {
    const response = await ask(document, variables, { requestId, signal, sender: options.sender })
    const of = sourceOf(response, requestId)
    return { body: bodyOf(await response.text(), of), of }
  } catch (error) {
    if (error instanceof ApiError || options.signal?.aborted) throw error
    if (timeout.aborted) throw new ApiError('TIMEOUT', '', { requestId, cause: error })
    throw new ApiError('NETWORK', '', { requestId, cause: error })
  }
}

/** Sends the request. `accept` asks for a media type other than JSON. */
export async function ask<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables | undefined,
  { requestId, signal, sender, accept }: { requestId: string; signal: AbortSignal; sender?: Sender; accept?: string },
): Promise<Response> {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Request-Id': requestId,
      ...(accept === undefined ? {} : { Accept: accept }),
      ...(sender && headersOf(sender)),
    },
    body: JSON.stringify({ query: document.toString(), variables }),
    credentials: 'same-origin',
    signal,
  })
  hearServerTime(response.headers.get('Date'))
  return response
}

/** How a request says who sends it. */
export const headersOf = ({ token, account }: Sender): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  ...(account && { 'X-Account-Id': account }),
})

/** A GraphQL response, or what of it belongs to one of several queries. */
export type Body = { data?: Record<string, unknown> | null; errors?: WireError[] } | null

/** Where a response comes from. */
export type Source = { status: number; requestId: string }

export const sourceOf = ({ status, headers }: Response, sentId: string): Source => ({
  status,
  requestId: headers.get('X-Request-Id') ?? sentId,
})

/** The data of a GraphQL response. Throws an ApiError for its errors, and for anything that is not a GraphQL response. */
export const dataOf = <Result>(text: string, of: Source) => dataIn<Result>(bodyOf(text, of), of)

// For example, a proxy's error page means that the service is unavailable.
const unreadable = ({ status }: Source) => (status >= 500 ? 'UNAVAILABLE' : 'BAD_ANSWER')

function bodyOf(text: string, of: Source): Body {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiError(unreadable(of), '', { requestId: of.requestId, cause })
  }
}

export function dataIn<Result>(body: Body, of: Source): Whole<Result> {
  const { status, requestId } = of
  const first = body?.errors?.[0]
  if (first) {
    const { code, requestId: named, ...details } = first.extensions ?? {}
    throw new ApiError(code ?? 'INTERNAL', first.message, { ...details, requestId: named ?? requestId })
  }
  const data = body?.data
  if (status < 200 || status > 299 || data == null) throw new ApiError(unreadable(of), '', { requestId })
  if (Object.values(data).includes(null)) throw new ApiError('NONE', '', { requestId })
  return data as Whole<Result>
}

/** A new request ID. On plain http there is crypto.getRandomValues, but no crypto.randomUUID. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `panel-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
