// The public API's contract as this page shows it. A test holds the statuses, the codes and the examples against
// rest/openapi.yaml, which in turn is held against the running service.

export const path = '/v1/agent/chat'

export const requestFields = [
  { name: 'message', type: 'string', required: true },
  { name: 'session_id', type: 'string | null', required: false },
  { name: 'stream', type: 'boolean', required: false },
] as const

export const requestHeaders = [
  { name: 'Authorization', required: true },
  { name: 'Content-Type', required: true },
  { name: 'Idempotency-Key', required: false },
  { name: 'X-Request-Id', required: false },
] as const

export const replyFields = [
  { name: 'message_id', type: 'string' },
  { name: 'session_id', type: 'string' },
  { name: 'reply', type: 'string' },
  { name: 'finish_reason', type: 'string' },
  { name: 'model', type: 'string' },
  { name: 'usage.credits', type: 'integer' },
  { name: 'usage.credits_remaining', type: 'integer' },
  { name: 'usage.input_tokens', type: 'integer | null' },
  { name: 'usage.output_tokens', type: 'integer | null' },
] as const

export const replyHeaders = [
  'X-Request-Id',
  'Idempotent-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'Allow',
] as const

/** The events of a streamed reply, in their order. */
export const streamEvents = ['start', 'delta', 'end', 'error'] as const

/** `no`: mend something first. `yes`: with backoff and the same key. `wait`: as `yes`, after the seconds of Retry-After. */
export type Retry = 'no' | 'yes' | 'wait'

type ApiFailure = {
  status: number
  code: string
  retry: Retry
  /** The body's message and details, as an example. */
  message: string
  details?: Record<string, unknown>
}

export const failures = [
  {
    status: 400,
    code: 'invalid_json',
    retry: 'no',
    message: 'The body must be one JSON object, such as {"message": "Hello"}.',
  },
  {
    status: 400,
    code: 'invalid_request',
    retry: 'no',
    message: 'There is no field "sessionId". Did you mean "session_id"?',
    details: { field: 'sessionId', reason: 'unknown_field' },
  },
  {
    status: 400,
    code: 'invalid_idempotency_key',
    retry: 'no',
    message: 'The Idempotency-Key is too long. Send at most 255 characters.',
    details: { limit: 255 },
  },
  {
    status: 400,
    code: 'invalid_authorization',
    retry: 'no',
    message: 'Send exactly one Authorization header.',
  },
  {
    status: 401,
    code: 'unauthorized',
    retry: 'no',
    message: 'The API key is missing or not valid. Send it as: Authorization: Bearer <API_KEY>.',
  },
  {
    status: 402,
    code: 'insufficient_credits',
    retry: 'no',
    message: "The account's credits do not cover this message. Top up the account, then send it again.",
    details: { credits_required: 1, credits_available: 0 },
  },
  {
    status: 404,
    code: 'not_found',
    retry: 'no',
    message: 'There is nothing at this path. The API is POST /v1/agent/chat.',
  },
  { status: 405, code: 'method_not_allowed', retry: 'no', message: 'This path takes POST only.' },
  {
    status: 408,
    code: 'request_timeout',
    retry: 'yes',
    message: 'The body took too long to arrive. Send the request again.',
  },
  {
    status: 409,
    code: 'agent_not_ready',
    retry: 'no',
    message: 'The agent is a draft. Its owner has to complete it in the control panel.',
    details: { reason: 'draft' },
  },
  {
    status: 409,
    code: 'session_busy',
    retry: 'wait',
    message: 'An earlier message of this session is still being answered. Send this one again later.',
  },
  {
    status: 409,
    code: 'request_in_progress',
    retry: 'wait',
    message: 'A request with this Idempotency-Key is still being answered. Ask again shortly with the same key.',
  },
  {
    status: 410,
    code: 'conversation_deleted',
    retry: 'no',
    message: 'The conversation of this message was deleted; its reply is gone.',
  },
  {
    status: 413,
    code: 'payload_too_large',
    retry: 'no',
    message: 'The body is larger than 256 KiB. Send a shorter message.',
    details: { limit: 262144 },
  },
  {
    status: 415,
    code: 'unsupported_media_type',
    retry: 'no',
    message: 'The body must be JSON. Send Content-Type: application/json.',
  },
  {
    status: 422,
    code: 'idempotency_key_reused',
    retry: 'no',
    message: 'This Idempotency-Key was used with another message or session_id. Use a new key for a new message.',
  },
  {
    status: 422,
    code: 'content_blocked',
    retry: 'no',
    message: "The model's safety rules refused this message. Nothing was charged.",
  },
  {
    status: 429,
    code: 'rate_limited',
    retry: 'wait',
    message: 'Too many requests. Wait as long as Retry-After says, then go on more slowly.',
  },
  {
    status: 500,
    code: 'internal',
    retry: 'yes',
    message: 'Something went wrong on our side. Try again; if it happens again, report the request id.',
  },
  {
    status: 502,
    code: 'model_error',
    retry: 'yes',
    message: 'The model failed to answer. Nothing was charged; try again.',
  },
  {
    status: 503,
    code: 'model_unavailable',
    retry: 'wait',
    message: 'The model is overloaded or away. Nothing was charged; try again later.',
  },
  {
    status: 503,
    code: 'unavailable',
    retry: 'wait',
    message: 'The service cannot answer right now. Try again shortly.',
  },
  {
    status: 504,
    code: 'model_timeout',
    retry: 'yes',
    message: 'The model did not answer in time. Nothing was charged; try again.',
  },
] as const satisfies readonly ApiFailure[]

export type Failure = (typeof failures)[number]

const exampleRequestId = 'checkout-7f3a'

/** An error's body as it is sent. */
export function errorBody(failure: ApiFailure): string {
  const { code, message, details = {} } = failure
  return JSON.stringify({ error: { code, message, details }, request_id: exampleRequestId }, null, 2)
}

export const requestBody = { message: 'Where is my parcel?', session_id: 'order-42' }

export const replyBody = {
  message_id: '019a8f2e-7d31-7c55-9c1b-5b8f0a6d2e41',
  session_id: 'order-42',
  reply: 'Your parcel left the warehouse on Monday.',
  finish_reason: 'stop',
  model: 'gemini/gemini-2.5-flash',
  usage: { credits: 1, credits_remaining: 99, input_tokens: 31, output_tokens: 9 },
}

/** A streamed reply, as it arrives. */
export const streamBody = (() => {
  const { message_id, session_id, reply } = replyBody
  const half = reply.indexOf(' ', reply.length / 2)
  const events = [
    ['start', { message_id, session_id }],
    ['delta', { text: reply.slice(0, half) }],
    ['delta', { text: reply.slice(half) }],
    ['end', replyBody],
  ] as const
  return events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n`).join('\n')
})()

/** The first call, to be pasted into a shell; the key is the reader's variable. */
export function curlExample(origin: string): string {
  return [
    `curl -i --max-time 100 ${origin}${path} \\`,
    `  -H "Authorization: Bearer $AGENTCHAT_API_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -H 'Idempotency-Key: 4f1c9a52-order-42-1' \\`,
    `  --data-raw '${JSON.stringify(requestBody)}'`,
  ].join('\n')
}
