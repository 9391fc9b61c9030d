import type { Page } from '@playwright/test'
import { channels, copied, openChannels } from './support/channels'
import type { Owner } from './support/owner'
import { missing, type Outcome, type Runtime, run, runtimes } from './support/runtimes'
import { type ScriptedAnswer, type SeenRequest, scripted } from './support/scripted'
import { addresses, expect, long, test } from './support/test'

/** A program with 4 s instead of 200 s for its retries. */
const impatient = (program: string) => program.replace(/(-lt |\+ |Add\()200/, (_, before: string) => `${before}4`)

/** Opens a language and copies its program; what is shown is what is copied. */
async function program(page: Page, label: string, kind = 'Production'): Promise<string> {
  const tab = channels(page)
  // The input of a segment lies under its label.
  await tab.getByText(kind, { exact: true }).click()
  await tab.getByRole('tab', { name: label }).click()
  const code = await copied(page, tab.getByRole('button', { name: `Copy ${label}` }))
  await expect(tab.getByRole('region', { name: `Program in ${label}` }).locator('code')).toHaveText(code, {
    useInnerText: false,
  })
  return code
}

test('acceptance 5: every program runs as copied, with a value for what the agent needs @long', async ({
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
    const why = missing(runtime)
    if (why) {
      test.info().annotations.push({ type: 'skip', description: why })
      continue
    }
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
  // Each program starts about 30 times and waits: only in make test-long.
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

      // Two retries at once, and one after its 4 s, which is the last.
      const rateLimited = { status: 429, code: 'rate_limited' }
      const waits = ['0', '0', '5'].map((retryAfter) => ({ ...rateLimited, retryAfter }))
      const limited = await against(runtime, impatient(code), apiKey, waits)
      expect(limited.outcome.code).not.toBe(0)
      expectOneMessage(limited.seen, 4, apiKey)

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
        const { seen, outcome } = await meet(
          { status, code: name, ...(retried && { retryAfter: '0' }) },
          { status: 200 },
        )
        expect.soft(seen.length, `requests at ${status} ${name}`).toBe(retried ? 2 : 1)
        expect.soft(outcome.code === 0, `success at ${status} ${name}`).toBe(retried)
        if (!retried) expect.soft(outcome.output + outcome.errors).toContain(name)
      }
    },
  )
}

/** Code of the reader's own: one that works, one that fails with more text than the service takes, and one that fails without any. */
const own: Record<string, [works: string, long: string, silent: string]> = {
  cURL: [`echo '"result": {"state": "shipped"}' ;;`, `echo '"error": "long"' ;;`, `echo '"error": "silent"' ;;`],
  Python: ['return {"state": "shipped"}', 'raise ValueError("é" * 3000)', 'raise ValueError()'],
  JavaScript: [`return { state: 'shipped' }`, `throw new Error('é'.repeat(3000))`, 'throw new Error()'],
  Go: [
    'return map[string]string{"state": "shipped"}, nil',
    'return nil, fmt.Errorf("%3000s", "é")',
    'return nil, fmt.Errorf("")',
  ],
  PHP: [`return ['state' => 'shipped'];`, `throw new Exception(str_repeat('é', 3000));`, 'throw new Exception();'],
}
/** A program with code in the place of an action's. */
const fill = (program: string, action: string, code: string) =>
  program.replace(new RegExp(`(raise|throw|return|echo) .*${action} is not there yet.*`), () => code)
const told = {
  failed: /The action order_status failed: .*order_status is not there yet/,
  returned: /The action order_status returned: {\\?"state\\?": ?\\?"shipped/,
}

for (const runtime of runtimes) {
  test(
    `the program in ${runtime.label} runs the actions that a reply asks for, each request with a key of its own`,
    runtime.label === 'Python' ? {} : long,
    async ({ strictPage: page, newOwner }) => {
      const why = missing(runtime)
      test.skip(why !== undefined, why)
      test.slow() // a compiler runs in parallel with other tests
      const owner = await newOwner()
      const { id, apiKey } = await acting(owner)
      await openChannels(page, id)
      const code = await program(page, runtime.label)
      const plain = await run(runtime, code, apiKey)
      expect(plain, plain.errors).toMatchObject({ code: 0 })

      // As copied but for the message, which makes the sandbox ask; the places are still empty.
      const asking = code.replace('Hello!', 'Hello! [[sandbox action=order_status]] [[sandbox action=refund]]')
      const failed = await run(runtime, asking, apiKey)
      expect(failed, failed.errors).toMatchObject({ code: 0 })
      expect(failed.output).toMatch(told.failed)
      expect(failed.output).toContain('refund is not there yet')
      const [works = '', ...fails] = own[runtime.label] ?? []
      const returned = await run(runtime, fill(asking, 'order_status', works), apiKey)
      expect(returned, returned.errors).toMatchObject({ code: 0 })
      expect(returned.output).toMatch(told.returned)
      const [long = '', silent = ''] = fails
      const odd = await run(runtime, fill(fill(asking, 'order_status', long), 'refund', silent), apiKey)
      expect(odd, odd.errors).toMatchObject({ code: 0 })
      expect(odd.output).toContain('The action refund failed: ')

      const asked = { finish_reason: 'actions', actions: ['a', 'b'].map((one) => ask(one)) }
      const down = { status: 503, code: 'unavailable', retryAfter: '0' }
      const script = [down, { status: 200, more: asked }, down, { status: 200, more: { finish_reason: 'stop' } }]
      const { seen, outcome } = await against(runtime, code, apiKey, script)
      expect(outcome, outcome.errors).toMatchObject({ code: 0 })
      expectOneMessage(seen.slice(0, 2), 2, apiKey)
      expectOneMessage(seen.slice(2), 2, apiKey)
      expect(seen[2]?.headers['idempotency-key']).not.toBe(seen[0]?.headers['idempotency-key'])
      const error = expect.stringContaining('order_status is not there yet')
      expect(JSON.parse(seen[2]?.body ?? '')).toEqual({
        session_id: 'customer-42',
        action_results: ['act_a', 'act_b'].map((one) => ({ id: one, error })),
      })
    },
  )
}

test('the quickstart has the actions of the version that its export is pinned to @long', async ({ page, newOwner }) => {
  const owner = await newOwner()
  const { id, exportId } = await acting(owner)
  await owner.pin(exportId, 1)
  await owner.change(id, { actions: null })
  await owner.publish(id)
  await page.goto(`/developers?export=${exportId}`)
  await page.getByText('Production', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'Program in cURL' })).toContainText('order_status is not there yet')
})

const ask = (id: string) => ({ id: `act_${id}`, name: 'order_status', arguments: { order: id } })

/** An export of an agent with two actions. */
async function acting(owner: Owner) {
  const { id } = await owner.newAgent({ publish: false })
  const actions = ['order_status', 'refund'].map((name) => ({
    name,
    description: name,
    parameters: '{"type":"object"}',
  }))
  await owner.change(id, { actions })
  await owner.publish(id)
  const { id: exportId, apiKey } = await owner.newExport(id)
  return { id, exportId, apiKey }
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
