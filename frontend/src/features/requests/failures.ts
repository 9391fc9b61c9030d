/** The codes of the API's error table with their HTTP status. The panel has a text for each that says what to do. */
export const statuses = {
  account_suspended: 403,
  action_mismatch: 409,
  agent_not_ready: 409,
  content_blocked: 422,
  conversation_deleted: 410,
  export_paused: 403,
  idempotency_key_reused: 422,
  insufficient_credits: 402,
  internal: 500,
  invalid_authorization: 400,
  invalid_idempotency_key: 400,
  invalid_json: 400,
  invalid_output: 502,
  invalid_request: 400,
  limit_reached: 402,
  method_not_allowed: 405,
  model_error: 502,
  model_timeout: 504,
  model_unavailable: 503,
  not_found: 404,
  payload_too_large: 413,
  rate_limited: 429,
  request_in_progress: 409,
  request_timeout: 408,
  session_busy: 409,
  unauthorized: 401,
  unavailable: 503,
  unsupported_media_type: 415,
  user_blocked: 403,
} as const

type Code = keyof typeof statuses

const isKnown = (code: string): code is Code => Object.hasOwn(statuses, code)

/** The code's key among the strings; `other` for codes that this panel does not know. */
export const fixOf = (code: string): Code | 'other' => (isKnown(code) ? code : 'other')

/** The HTTP status of a code; undefined for codes that this panel does not know. */
export const statusOf = (code: string): number | undefined => (isKnown(code) ? statuses[code] : undefined)
