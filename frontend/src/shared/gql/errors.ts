/** The schema's ErrorCode; a test holds them together. */
export const serverCodes = [
  'UNAUTHENTICATED',
  'INVALID_CREDENTIALS',
  'SECOND_FACTOR_REQUIRED',
  'REAUTHENTICATION_REQUIRED',
  'SIGN_UP_CLOSED',
  'BAD_USER_INPUT',
  'NOT_FOUND',
  'CONFLICT',
  'INSUFFICIENT_CREDITS',
  'RATE_LIMITED',
  'LIMIT_EXCEEDED',
  'FORBIDDEN',
  'UNAVAILABLE',
  'INTERNAL',
] as const

/** Codes of the panel's own, for answers that never came: no connection, no answer in time, an answer that is not GraphQL. */
export type LocalCode = 'NETWORK' | 'TIMEOUT' | 'BAD_ANSWER'

export type ApiErrorCode = (typeof serverCodes)[number] | LocalCode | (string & {})

/** One field of a BAD_USER_INPUT; the path is the input's, for instance `name`. */
export type FieldError = { path: string; reason: string; message: string }

/** Everything that can go wrong with a request. The message is the server's own and may be shown. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  readonly fields: readonly FieldError[]
  /** Names the request in the service's log. Also there when no answer came: the panel made it. */
  readonly requestId: string
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ApiErrorCode,
    message: string,
    details: { requestId: string; fields?: readonly FieldError[]; retryAfterSeconds?: number; cause?: unknown },
  ) {
    super(message, { cause: details.cause })
    this.code = code
    this.fields = details.fields ?? []
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

export function hasCode(error: unknown, ...codes: ApiErrorCode[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code)
}

/** Whether the same request may well succeed a little later without anybody changing anything. */
export function isPassing(error: unknown): boolean {
  return hasCode(error, 'NETWORK', 'TIMEOUT', 'UNAVAILABLE', 'BAD_ANSWER')
}
