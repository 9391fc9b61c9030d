/** The schema's ErrorCode; a test compares them. */
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
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'FORBIDDEN',
  'UNAVAILABLE',
  'INTERNAL',
] as const

/**
 * The panel's own codes for missing answers: no connection, a timeout, an answer that is not GraphQL, and one that has nothing to say, such
 * as the account of a user who has none.
 */
export type LocalCode = 'NETWORK' | 'TIMEOUT' | 'BAD_ANSWER' | 'NONE'

export type ApiErrorCode = (typeof serverCodes)[number] | LocalCode | (string & {})

/** One field of a BAD_USER_INPUT. The path is relative to the input, for example `name`. */
export type FieldError = { path: string; reason: string; message: string }

/** Any failure of a request. The message comes from the server and may be shown. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  readonly fields: readonly FieldError[]
  /** Identifies the request in the service's log. Also set if no answer came, because the panel generates it. */
  readonly requestId: string
  readonly retryAfterSeconds: number | undefined
  /** What kind of conflict a CONFLICT is, if the service says so, for example `tests_required`. */
  readonly reason: string | undefined

  constructor(
    code: ApiErrorCode,
    message: string,
    details: {
      requestId: string
      fields?: readonly FieldError[]
      retryAfterSeconds?: number
      reason?: string
      cause?: unknown
    },
  ) {
    super(message, { cause: details.cause })
    this.code = code
    this.fields = details.fields ?? []
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
    this.reason = details.reason
  }
}

export function hasCode(error: unknown, ...codes: ApiErrorCode[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code)
}

/** Whether the reader has just declined to give the password for it: there is nothing to say about it. */
export function isDeclined(error: unknown): boolean {
  return hasCode(error, 'REAUTHENTICATION_REQUIRED')
}

const passing: ApiErrorCode[] = ['NETWORK', 'TIMEOUT', 'UNAVAILABLE', 'BAD_ANSWER']

/** Whether the same request may succeed later without any change. */
export function isPassing(error: unknown): boolean {
  return hasCode(error, ...passing)
}

/**
 * The request ID to show with an error. It is empty unless the service or the connection is at fault: the service's log says nothing
 * about what the reader can correct. An error without a code is INTERNAL.
 */
export const faultId = (error: unknown) => (hasCode(error, ...passing, 'INTERNAL') ? error.requestId : '')
