import type { Page } from '@playwright/test'
import { channels, copied, createExport, openChannels } from './support/channels'
import { missing, type Outcome, type Runtime, run, runtimes } from './support/runtimes'
import { type ScriptedAnswer, type SeenRequest, scripted } from './support/scripted'
import { addresses, expect, full, test } from './support/test'

const variable = 'AGENTCHAT_API_KEY'
const mostRetries = 3

/** Opens a language and copies its program; what is shown is what is copied. */
async function program(page: Page, label: string): Promise<string> {
  const drawer = channels(page)
  await drawer.getByRole('tab', { name: label }).click()
  const code = await copied(page, drawer.getByRole('button', { name: `Copy ${label}` }))
  await expect(drawer.getByRole('region', { name: `Program in ${label}` }).locator('code')).toHaveText(code, {
    useInnerText: false,
  })
  return code
}

type NewOwner = Parameters<Parameters<typeof test>[2]>[0]['newOwner']

async function withExport(page: Page, newOwner: NewOwner) {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  const { apiKey } = await owner.newExport(agent.id)
  await openChannels(page, agent.id)
  return { owner, agent, apiKey }
}

test('acceptance 5: every program carries what a careful caller needs', async ({ strictPage: page, newOwner }) => {
  await withExport(page, newOwner)
  for (const { label } of runtimes) {
    const code = await program(page, label)
    expect.soft(code, label).toContain(`${addresses().panel}/v1/agent/chat`)
    expect.soft(code, label).toMatch(/--max-time 100|timeout=100|timeout\(100_000\)|100 \* time.Second|TIMEOUT => 100/)
    expect.soft(code, label).toContain('Idempotency-Key')
    expect.soft(code, label).toMatch(/x-request-id/i)
    expect.soft(code, label).toMatch(/retry-after/i)
    expect.soft(code, label).toMatch(/random/i)
  }
})

test('acceptance 6: with the key hidden, programs name the variable and hold no key, masked or whole', async ({
  strictPage: page,
  newOwner,
}) => {
  const owner = await newOwner()
  const agent = await owner.newAgent()
  await openChannels(page, agent.id)
  const key = await createExport(page, 'Website')
  expect(await program(page, 'cURL')).toContain(`export ${variable}='${key}'`)
  for (const { label } of runtimes.slice(1)) expect(await program(page, label)).not.toContain('agc_')
  await channels(page).getByRole('button', { name: 'I have saved the key' }).click()
  for (const { label } of runtimes) {
    const code = await program(page, label)
    expect.soft(code, label).toContain(`$${variable}`)
    expect.soft(code, label).not.toMatch(/agc_|\*\*\*|•|…|YOUR_|<key>/i)
  }
})

for (const runtime of runtimes) {
  test.describe(runtime.label, () => {
    const why = missing(runtime)
    test.skip(why !== undefined, why)

    test(
      'acceptance 5: runs as copied, against the service',
      full(!['cURL', 'Python'].includes(runtime.label)),
      async ({ strictPage: page, newOwner }) => {
        test.slow()
        const { agent, apiKey, owner } = await withExport(page, newOwner)
        const outcome = await run(runtime, await program(page, runtime.label), apiKey)
        expect(outcome, outcome.errors).toMatchObject({ code: 0 })
        // The reply and the request id are the ones that the service has stored.
        const { agent: stored } = await owner.gql<Stored>(turnsOf, { id: agent.id })
        const turn = stored.conversations.nodes[0]?.turns.nodes[0]
        expect(stored.conversations.nodes.map(({ sessionId }) => sessionId)).toEqual(['customer-42'])
        expect(turn?.message).toBe('Hello!')
        expect(outcome.output).toContain(turn?.requestId)
        expect(outcome.output).toContain(turn?.reply)

        const refused = await run(runtime, await program(page, runtime.label), `${apiKey}x`)
        expect(refused.code).not.toBe(0)
        expect(refused.output + refused.errors).toContain('unauthorized')
      },
    )

    test(
      'acceptance 5: retries what may be retried, with one Idempotency-Key',
      full(),
      async ({ strictPage: page, newOwner }) => {
        test.setTimeout(240_000)
        const { apiKey } = await withExport(page, newOwner)
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
      },
    )

    test('acceptance 5: retries only where the error table says so', full(), async ({ strictPage: page, newOwner }) => {
      test.setTimeout(240_000)
      const { apiKey } = await withExport(page, newOwner)
      const code = await program(page, runtime.label)
      for (const [status, name, retried] of errorTable) {
        const { seen, outcome } = await against(runtime, code, apiKey, [
          { status, code: name, retryAfter: '0' },
          { status: 200 },
        ])
        expect.soft(seen.length, `requests at ${status} ${name}`).toBe(retried ? 2 : 1)
        expect.soft(outcome.code === 0, `success at ${status} ${name}`).toBe(retried)
        if (!retried) expect.soft(outcome.output + outcome.errors).toContain(name)
      }
    })
  })
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
  agent: {
    conversations: {
      nodes: { sessionId: string; turns: { nodes: { message: string; reply: string; requestId: string }[] } }[]
    }
  }
}
const turnsOf = `query($id: ID!) { agent(id: $id) { conversations(first: 5) { nodes {
  sessionId turns(first: 5) { nodes { message reply requestId } } } } } }`
