import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { documented } from './support/documented'
import type { Owner } from './support/owner'
import { missing, type Runtime, run, runtimes } from './support/runtimes'
import { addresses, expect, long, test } from './support/test'

const java: Runtime = {
  label: 'Java',
  probe: ['javac', '-version'],
  file: 'Chat.java',
  command: ['java'],
  install: 'a JDK',
}
const kinds: Record<string, string> = { cURL: 'bash' }

/** Texts with what a stream can be cut at by mistake: the byte 0x85, line breaks of Unicode, escapes, and a letter of two code units. */
const pieces = ['Å…', 'a\u2028b\u0085c', 'line\nbreak "quoted" \\ ', '😀', 'end']

for (const runtime of [...runtimes, java]) {
  const why = missing(runtime)
  const program = () => documented('streaming.md').get(kinds[runtime.label] ?? runtime.label.toLowerCase()) ?? ''

  // One language is enough in make test: the others need a compiler or an interpreter.
  const tagged = runtime.label === 'JavaScript' ? {} : long
  test(
    `the documented program in ${runtime.label} streams, and fetches a cut reply with one key`,
    tagged,
    async ({ newOwner }) => {
      test.skip(why !== undefined, why)
      test.slow() // a compiler runs in parallel with other tests
      const { apiKey } = await exported(await newOwner())
      expect(program()).toContain(addresses().panel)
      const { code, output, errors } = await run(runtime, program(), apiKey)
      expect(code, errors).toBe(0)
      expect(output.replaceAll(/"}\n\nevent: delta\ndata: {"text":"/g, '')).toContain('Help with order 17.')

      const { keys, outcome } = await against(runtime, program(), [broken, whole])
      expect(outcome.code, outcome.errors).toBe(0)
      if (runtime.label !== 'cURL') expect(outcome.output).toContain(pieces.join(''))
      expect(keys).toHaveLength(2)
      expect(keys[0]).toMatch(/^[!-~]{16,255}$/)
      expect(keys[1]).toBe(keys[0])
    },
  )

  test(`the documented program in ${runtime.label} fails with the error that it got`, long, async ({ newOwner }) => {
    test.skip(why !== undefined, why)
    const { apiKey } = await exported(await newOwner())
    const refused = await run(runtime, program(), `${apiKey}x`)
    expect(refused.code).not.toBe(0)
    expect(refused.output + refused.errors).toContain('unauthorized')

    const { keys, outcome } = await against(runtime, program(), [blocked])
    expect(outcome.code).not.toBe(0)
    expect(outcome.output + outcome.errors).toContain('content_blocked')
    expect(keys).toHaveLength(1)
  })
}

async function exported(owner: Owner) {
  const agent = await owner.newAgent({ instructions: 'Help with order 17.' })
  return owner.newExport(agent.id)
}

type Answer = (response: ServerResponse) => void

const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const start = `:\n\n${event('start', { message_id: '1', session_id: 's' })}`

/** Breaks off in the middle of a letter. */
const broken: Answer = (response) => {
  const cut = Buffer.from(start + event('delta', { text: pieces[0] }))
  response.write(cut.subarray(0, cut.length - 7), () => response.destroy())
}

/** Arrives in parts of three bytes, with an event of a later version. */
const whole: Answer = (response) => {
  const deltas = pieces.map((text) => event('delta', { text })).join('')
  const all = Buffer.from(`${start}${deltas}${event('later', { x: 1 })}${event('end', { reply: pieces.join('') })}`)
  for (let from = 0; from < all.length; from += 3) response.write(all.subarray(from, from + 3))
  response.end()
}

const blocked: Answer = (response) =>
  response.end(start + event('error', { error: { code: 'content_blocked', message: 'No.', details: {} } }))

/** Runs a program against a server that answers one request after the other, and returns the keys that it sent. */
async function against(runtime: Runtime, program: string, answers: Answer[]) {
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    const answer = answers[keys.length]
    keys.push(request.headers['idempotency-key'])
    request.resume().on('end', () => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
      answer ? answer(response) : response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { keys, outcome: await run(runtime, program.replaceAll(addresses().panel, origin), 'agc_any') }
  } finally {
    server.close()
  }
}
