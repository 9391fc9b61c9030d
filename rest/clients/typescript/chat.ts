// Talks to an agent with openapi-fetch and the types that openapi-typescript makes from rest/openapi.yaml: for a whole reply, for one that
// asks for an action, and for a stream. AGENTCHAT_URL and AGENTCHAT_API_KEY say where, and as whom.
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.gen.js'

type Reply = components['schemas']['ChatReply']
type Accepted = components['schemas']['AcceptedMessage']
type Delta = components['schemas']['StreamDelta']

// Only a message with background: true is accepted before there is a reply, and only a rating has none.
const replyOf = (data: Reply | Accepted | undefined) => (data && 'reply' in data ? data : undefined)

const { AGENTCHAT_URL: baseUrl = '', AGENTCHAT_API_KEY: key = '' } = process.env
// With this type argument a reply is the JSON, not perhaps a stream.
const client = createClient<paths, 'application/json'>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })

const whole = await client.POST('/v1/agent/chat', { body: { message: 'Hello', session_id: 'typescript-client' } })
if (whole.error) throw new Error(`${whole.error.error.code}: ${whole.error.error.message}`)
console.log('reply:', replyOf(whole.data)?.reply)

const refused = await client.POST('/v1/agent/chat', { body: { message: ' ' } })
if (refused.error?.error.code !== 'invalid_request' || refused.error.error.details.field !== 'message') {
  throw new Error(`a blank message: ${refused.response.status}`)
}

const asks = await client.POST('/v1/agent/chat', {
  body: { message: '[[sandbox action=order_status]]', session_id: 'typescript-client' },
})
const results = (replyOf(asks.data)?.actions ?? []).map(({ id, arguments: given }) => ({ id, result: { state: 'shipped', order: given.order } }))
const acted = await client.POST('/v1/agent/chat', { body: { action_results: results, session_id: 'typescript-client' } })
const answer = replyOf(acted.data)?.reply
if (!answer?.includes('shipped')) throw new Error(`results: ${acted.response.status} ${JSON.stringify(acted.error)}`)
console.log('action:', answer)

const { data: body } = await client.POST('/v1/agent/chat', {
  body: { message: 'Hello again', session_id: 'typescript-client', stream: true },
  parseAs: 'stream',
})
let text = ''
let rest = ''
const decoder = new TextDecoder()
let ended: Reply | undefined
for await (const chunk of body as ReadableStream<Uint8Array>) {
  const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
  rest = events.pop() ?? ''
  for (const event of events) {
    const data = event.split('\ndata: ')[1]
    if (event.startsWith('event: delta') && data) text += (JSON.parse(data) as Delta).text
    if (event.startsWith('event: end') && data) ended = JSON.parse(data) as Reply
  }
}
if (ended?.reply !== text) throw new Error(`streamed ${text}, replied ${ended?.reply}`)
console.log('stream:', text)
