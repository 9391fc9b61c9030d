import type { Page } from '@playwright/test'
import { channels, copied, openChannels } from './support/channels'
import { missing, type Outcome, type Runtime, run, runtimes } from './support/runtimes'
import { type ScriptedAnswer, type SeenRequest, scripted } from './support/scripted'
import { addresses, expect, long, test } from './support/test'

const mostRetries = 3

/** Opens a language and copies its program; what is shown is what is copied. */
async function program(page: Page, label: string, kind = 'Production'): Promise<string> {
  const drawer = channels(page)
  await drawer.getByRole('tab', { name: kind }).click()
  await drawer.getByRole('tab', { name: label }).click()
  const code = await copied(page, drawer.getByRole('button', { name: `Copy ${label}` }))
  await expect(drawer.getByRole('region', { name: `Program in ${label}` }).locator('code')).toHaveText(code, {
    useInnerText: false,
  })
  return code
}

test('acceptance 5: every program runs as copied, with a value for what the agent needs', async ({
  strictPage: page,
  newOwner,
}) => {
  test.slow()
  const owner = await newOwner()
  const agent = await owner.newAgent({ instructions: 'Help with order {{order_id}}.', publish: false })
  await owner.change(agent.id, { variables: [{ name: 'order_id', description: 'The order', required: true }] })
  await owner.publish(agent.id)
  const { apiKey } = await owner.newExport(agent.id)
  await openChannels(page, agent.id)
  for (const runtime of runtimes) {
    if (missing(runtime)) continue
    await test.step(runtime.label, async () => {
      const code = await program(page, runtime.label)
      const outcome = await run(runtime, code, apiKey)
      expect(outcome, outcome.errors).toMatchObject({ code: 0 })
      expect(outcome.output).toContain('Help with order example.')
      // The reply and the request ID are those of the service.
      const { agent: stored } = await owner.gql<Stored>(lastTurn, { id: agent.id })
      const [{ sessionId, turns } = { sessionId: '', turns: { nodes: [] } }] = stored.conversations.nodes
      expect(sessionId).toBe('customer-42')
      expect(outcome.output).toContain(turns.nodes.at(-1)?.requestId)

      const streamed = await run(runtime, await program(page, runtime.label, 'Streaming'), apiKey)
      expect(streamed, streamed.errors).toMatchObject({ code: 0 })
      expect(streamed.output.replaceAll(/"}\n\nevent: delta\ndata: {"text":"/g, '')).toContain(
        'Help with order example.',
      )

      const refused = await run(runtime, code, `${apiKey}x`)
      expect(refused.code).not.toBe(0)
      expect(refused.output + refused.errors).toContain('unauthorized')
    })
  }
})

for (const runtime of runtimes) {
  // Waits, and some thirty starts of each program: only in make test-long.
  test(
    `acceptance 5: ${runtime.label} retries only what may be retried, with one Idempotency-Key`,
    long,
    async ({ strictPage: page, newOwner }) => {
      const why = missing(runtime)
      test.skip(why !== undefined, why)
      test.setTimeout(240_000)
      const owner = await newOwner()
      const agent = await owner.newAgent()
      const { apiKey } = await owner.newExport(agent.id)
      await openChannels(page, agent.id)
      const code = await program(page, runtime.label)
      const meet = (...answers: ScriptedAnswer[]) => against(runtime, code, apiKey, answers)

      const unavailable = { status: 503, code: 'unavailable', retryAfter: '0' }
      const recovered = await meet(unavailable, { ...unavailable, retryAfter: '1' }, { status: 200 })
      expect(recovered.outcome, recovered.outcome.errors).toMatchObject({ code: 0 })
      expect(recovered.outcome.output).toContain('As the script says.')
      expectOneMessage(recovered.seen, 3, apiKey)
      for (const number of [1, 2, 3]) expect(recovered.outcome.output).toContain(`scripted-${number}`)
      expect((recovered.seen[2]?.at ?? 0) - (recovered.seen[1]?.at ?? 0)).toBeGreaterThanOrEqual(900)

      const limited = await meet({ status: 429, code: 'rate_limited', retryAfter: '0' })
      expect(limited.outcome.code).not.toBe(0)
      expectOneMessage(limited.seen, 1 + mostRetries, apiKey)

      // Without Retry-After it backs off, longer each time and not all callers at once.
      const failing = await meet(
        { status: 502, code: 'model_error' },
        { status: 502, code: 'model_error' },
        { status: 200 },
      )
      expect(failing.outcome.code).toBe(0)
      const [first = 0, second = 0, third = 0] = failing.seen.map(({ at }) => at)
      expect(second - first).toBeGreaterThanOrEqual(450)
      expect(third - second).toBeGreaterThanOrEqual(950)

      const keys = [recovered, limited, failing].map(({ seen }) => seen[0]?.headers['idempotency-key'])
      expect(new Set(keys).size, 'a key for each message').toBe(3)

      for (const [status, name, retried] of errorTable) {
        const { seen, outcome } = await meet({ status, code: name, retryAfter: '0' }, { status: 200 })
        expect.soft(seen.length, `requests at ${status} ${name}`).toBe(retried ? 2 : 1)
        expect.soft(outcome.code === 0, `success at ${status} ${name}`).toBe(retried)
        if (!retried) expect.soft(outcome.output + outcome.errors).toContain(name)
      }
    },
  )
}

/** The table of the chat API's errors: which of them a caller may send again. */
const errorTable: [status: number, code: string, retried: boolean][] = [
  [400, 'invalid_request', false],
  [408, 'request_timeout', true],
  [401, 'unauthorized', false],
  [402, 'insufficient_credits', false],
  [404, 'not_found', false],
  [409, 'agent_not_ready', false],
  [410, 'conversation_deleted', false],
  [409, 'session_busy', true],
  [409, 'request_in_progress', true],
  [413, 'payload_too_large', false],
  [415, 'unsupported_media_type', false],
  [422, 'idempotency_key_reused', false],
  [422, 'content_blocked', false],
  [429, 'rate_limited', true],
  [500, 'internal', true],
  [502, 'model_error', true],
  [503, 'model_unavailable', true],
  [504, 'model_timeout', true],
]

/** Runs a copied program with the service's origin replaced by that of a scripted server. */
async function against(runtime: Runtime, code: string, apiKey: string, answers: ScriptedAnswer[]) {
  const server = await scripted(answers)
  try {
    const outcome: Outcome = await run(runtime, code.replace(addresses().panel, server.origin), apiKey)
    return { outcome, seen: server.seen }
  } finally {
    await server.close()
  }
}

/** The same message each time, under one Idempotency-Key and the caller's key. */
function expectOneMessage(seen: SeenRequest[], times: number, apiKey: string) {
  expect(seen).toHaveLength(times)
  const [key, ...others] = new Set(seen.map(({ headers }) => headers['idempotency-key']))
  expect(others).toEqual([])
  expect(key).toMatch(/^[!-~]{16,255}$/)
  expect(new Set(seen.map(({ body }) => body)).size).toBe(1)
  for (const { method, path, headers } of seen) {
    expect([method, path, headers.authorization]).toEqual(['POST', '/v1/agent/chat', `Bearer ${apiKey}`])
    expect(headers['content-type']).toBe('application/json')
  }
}

type Stored = {
  agent: { conversations: { nodes: { sessionId: string; turns: { nodes: { requestId: string }[] } }[] } }
}
const lastTurn = `query($id: ID!) { agent(id: $id) { conversations(first: 1) { nodes {
  sessionId turns(first: 20) { nodes { requestId } } } } } }`
