// OpenAI's SDK for Node: both APIs, streams, loops of actions, and its retries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import OpenAI from 'openai'
import { apiKey, askWeather, bridge, turn, weather } from './support.mjs'

const client = new OpenAI({ baseURL: bridge + '/v1', apiKey })
const chatTools = [{ type: 'function', function: weather }]
const tools = [{ type: 'function', strict: true, ...weather }]

test('models', async () => {
  const ids = []
  for await (const model of client.models.list()) ids.push(model.id)
  assert.deepEqual(ids, ['agent', 'agent-history'])
})

test('responses: a loop of actions', async () => {
  const asked = await client.responses.create({ model: 'agent', input: askWeather, tools })
  assert.equal(asked.output_text !== '', true)
  const call = asked.output.find((item) => item.type === 'function_call')
  assert.deepEqual(JSON.parse(call.arguments), { location: 'Rome' })
  const done = await client.responses.create({
    model: 'agent',
    previous_response_id: asked.id,
    input: [{ type: 'function_call_output', call_id: call.call_id, output: '21 degrees' }],
    tools,
  })
  assert.match(done.output_text, /21 degrees/)
  const next = await client.responses.create({ model: 'agent', previous_response_id: done.id, input: 'Hello' })
  turn(next.output_text, 3)
})

test('responses: a stream', async () => {
  const stream = client.responses.stream({ model: 'agent', input: askWeather, tools })
  let text = ''
  stream.on('response.output_text.delta', (event) => (text += event.delta))
  const last = await stream.finalResponse()
  assert.equal(text, last.output_text)
  assert.equal(last.status, 'completed')
  assert.equal(last.output.at(-1).name, 'get_weather')
})

test('chat completions: a loop of actions', async () => {
  const messages = [{ role: 'user', content: askWeather }]
  const asked = await client.chat.completions.create({ model: 'agent', messages, tools: chatTools })
  assert.equal(asked.choices[0].finish_reason, 'tool_calls')
  const message = asked.choices[0].message
  messages.push(message, { role: 'tool', tool_call_id: message.tool_calls[0].id, content: '21 degrees' })
  const done = await client.chat.completions.create({ model: 'agent', messages, tools: chatTools })
  assert.match(done.choices[0].message.content, /21 degrees/)
})

test('chat completions: a stream', async () => {
  const stream = client.chat.completions.stream({
    model: 'agent',
    messages: [{ role: 'user', content: askWeather }],
    tools: chatTools,
    stream_options: { include_usage: true },
  })
  const last = await stream.finalChatCompletion()
  assert.equal(last.choices[0].message.tool_calls[0].function.name, 'get_weather')
  assert.ok((await stream.totalUsage()).total_tokens > 0)
})

test('an error of a stream is thrown', async () => {
  for (const create of [
    () => client.responses.create({ model: 'agent', input: '[[sandbox fail=error after=3]]', stream: true }),
    () => client.chat.completions.create({ model: 'agent', messages: [{ role: 'user', content: '[[sandbox fail=error after=3]]' }], stream: true }),
  ]) {
    await assert.rejects(
      async () => {
        for await (const _ of await create());
      },
      { code: 'model_error' },
    )
  }
})

test('a lost response is retried for one charge', async () => {
  const first = await client.responses.create({ model: 'agent', input: 'Hello' })
  let requests = 0
  const unlucky = new OpenAI({
    baseURL: bridge + '/v1',
    apiKey,
    fetch: async (url, init) => {
      const lost = requests++ === 0
      const controller = new AbortController()
      if (lost) setTimeout(() => controller.abort(), 300)
      return fetch(url, lost ? { ...init, signal: controller.signal } : init).catch(() => {
        throw new TypeError('fetch failed')
      })
    },
  })
  const again = await unlucky.responses.create({ model: 'agent', previous_response_id: first.id, input: '[[sandbox delay=1s]]' })
  turn(again.output_text, 2)
  assert.equal(requests, 2)
  const next = await client.responses.create({ model: 'agent', previous_response_id: again.id, input: 'Bye' })
  turn(next.output_text, 3)
})

test('a branch is refused, without a retry', async () => {
  let requests = 0
  const counted = new OpenAI({ baseURL: bridge + '/v1', apiKey, fetch: (url, init) => (requests++, fetch(url, init)) })
  const first = await counted.responses.create({ model: 'agent', input: 'Hello' })
  await counted.responses.create({ model: 'agent', previous_response_id: first.id, input: 'One' })
  await assert.rejects(counted.responses.create({ model: 'agent', previous_response_id: first.id, input: 'Two' }), {
    status: 409,
    code: 'conversation_branched',
  })
  assert.equal(requests, 3)
})
