import type { TypedDocumentString } from '@/gql/graphql'
import { ApiError, type FieldError, hasCode, newRequestId, session } from '@/shared/gql'

/** A reply may take the wait for its conversation and the model's time: as long as callers of the public API are told to wait. */
export const replyTimeoutMs = 100_000

type WireError = {
  message: string
  extensions?: { code?: string; requestId?: string; fields?: FieldError[]; retryAfterSeconds?: number }
}

/**
 * Sends one operation that waits for a model, as whoever is signed in: `gql` gives up long before a slow model answers. A token
 * that is refused is renewed once. Every failure is an ApiError, but the caller's own abort, which stays what it is.
 */
export async function longGql<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Result> {
  const token = await session.token()
  try {
    return await send(document, variables, token, signal)
  } catch (error) {
    if (!hasCode(error, 'UNAUTHENTICATED')) throw error
  }
  // Nothing was done by the refused request.
  return send(document, variables, await session.token(token), signal)
}

async function send<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  token: string,
  signal: AbortSignal,
): Promise<Result> {
  const requestId = newRequestId()
  const timeout = AbortSignal.timeout(replyTimeoutMs)
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Request-Id': requestId,
        Authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ query: document.toString(), variables }),
      credentials: 'same-origin',
      signal: AbortSignal.any([signal, timeout]),
    })
    return read<Result>(response.status, await response.text(), response.headers.get('X-Request-Id') ?? requestId)
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error
    throw new ApiError(timeout.aborted ? 'TIMEOUT' : 'NETWORK', '', { requestId, cause: error })
  }
}

function read<Result>(status: number, text: string, requestId: string): Result {
  const away = status >= 500 ? 'UNAVAILABLE' : 'BAD_ANSWER'
  let body: { data?: Result | null; errors?: WireError[] } | null
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new ApiError(away, '', { requestId, cause })
  }
  const first = body?.errors?.[0]
  if (first) {
    const { code, fields, retryAfterSeconds, requestId: named } = first.extensions ?? {}
    throw new ApiError(code ?? 'INTERNAL', first.message, { requestId: named ?? requestId, fields, retryAfterSeconds })
  }
  if (status >= 300 || body?.data == null) throw new ApiError(away, '', { requestId })
  return body.data
}
