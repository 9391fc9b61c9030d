import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { chat } from './support/owner'
import { randomFrom } from './support/parallel'
import { addresses, expect, test } from './support/test'

/** Reads a whole streamed reply as bytes. */
async function streamed(apiKey: string, message: string): Promise<Uint8Array> {
  const response = await fetch(addresses().chat, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify({ message, session_id: 'stream' }),
  })
  expect(response.headers.get('Content-Type')).toBe('text/event-stream')
  return new Uint8Array(await response.arrayBuffer())
}

/** What a parser that is not ours makes of bytes that come in pieces of the sizes that `size` gives. */
function parse(bytes: Uint8Array, size: () => number): EventSourceMessage[] {
  const events: EventSourceMessage[] = []
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onError: (error) => {
      throw error
    },
  })
  const text = new TextDecoder()
  for (let at = 0; at < bytes.length; ) {
    const end = at + size()
    parser.feed(text.decode(bytes.subarray(at, end), { stream: true }))
    at = end
  }
  return events
}

// A stream is read the same however the network splits it: byte by byte, within characters, or whole.
test('a streamed reply is read by an event-stream parser from npm, however it is split', async ({ newOwner }) => {
  const owner = await newOwner()
  const agent = await owner.newAgent({ instructions: 'Répondez — “gentiment”, 😀\n\nligne suivante.' })
  const { apiKey } = await owner.newExport(agent.id)
  const bytes = await streamed(apiKey, 'data: not an event\n\nevent: end\n\n: 😀é')
  const seed = Number(process.env.E2E_SEED ?? Date.now() % 2 ** 31)
  const random = randomFrom(seed)
  const whole = parse(bytes, () => bytes.length)
  for (const size of [
    () => 1,
    () => 2,
    () => 7,
    ...Array.from({ length: 20 }, () => () => 1 + Math.floor(random() * 40)),
  ]) {
    expect(parse(bytes, size), `seed ${seed}`).toEqual(whole)
  }
  expect(new Set(whole.map(({ event }) => event))).toEqual(new Set(['start', 'delta', 'end']))
  const text = whole
    .filter(({ event }) => event === 'delta')
    .map(({ data }) => (JSON.parse(data) as { text: string }).text)
  const end = JSON.parse(whole.at(-1)?.data ?? '') as { reply: string; session_id: string }
  expect(end.reply).toBe(text.join(''))
  expect(end.reply).toContain('😀')
  expect(end.session_id).toBe('stream')
  expect((await chat(apiKey, 'and without a stream?', 'stream')).body.reply).toContain('turn 2')
})

test('a reply that fails in the middle ends its stream with the error', async ({ newOwner }) => {
  const owner = await newOwner()
  const { apiKey } = await owner.newExport((await owner.newAgent()).id)
  const events = parse(await streamed(apiKey, '[[sandbox fail=error after=20]]'), () => 5)
  expect(events.at(-1)?.event).toBe('error')
  expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject({ error: { code: 'model_error', details: {} } })
})
