/** The codes of the API for which the panel says what to change. */
const codes = [
  'account_suspended',
  'agent_not_ready',
  'content_blocked',
  'conversation_deleted',
  'export_paused',
  'idempotency_key_reused',
  'insufficient_credits',
  'internal',
  'invalid_authorization',
  'invalid_idempotency_key',
  'invalid_json',
  'invalid_request',
  'limit_reached',
  'method_not_allowed',
  'model_error',
  'model_timeout',
  'model_unavailable',
  'not_found',
  'payload_too_large',
  'rate_limited',
  'request_in_progress',
  'request_timeout',
  'session_busy',
  'unauthorized',
  'unavailable',
  'unsupported_media_type',
] as const

/** The code's key among the strings; `other` for codes that this panel does not know. */
export function fixOf(code: string) {
  return codes.find((known) => known === code) ?? 'other'
}
