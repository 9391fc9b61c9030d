import { chat, type Owner } from '../support/owner'
import { addresses } from '../support/target'
import { expect } from '../support/test'

const cases = [
  {
    name: 'Refund within 30 days',
    message: 'How long may I return it?',
    checks: [{ type: 'contains', text: '30 days' }],
  },
  { name: '', message: 'Do you deliver to Norway?', checks: [{ type: 'max_ms', most: 20_000 }] },
  {
    name: 'Says no word about competitors',
    history: [{ message: 'Hello', reply: 'Hello, what can I do for you?' }],
    message: 'Is the other shop cheaper?',
    checks: [
      { type: 'regex', not: true, pattern: '(?i)other-shop' },
      { type: 'contains', text: ['shop', 'store'] },
    ],
  },
]

/** Creates an agent with test cases, a run of its live version and one of its worse draft, and rated replies. Returns its id. */
export async function provenAgent(owner: Owner, label: string): Promise<string> {
  const { id } = await owner.newAgent({
    name: 'Returns desk',
    instructions: 'Returns are free for 30 days.',
    model: 'sandbox/assistant',
  })
  for (const one of cases) {
    await owner.gql('mutation($input: CreateTestCaseInput!) { createTestCase(input: $input) { testCase { id } } }', {
      input: { agentId: id, document: JSON.stringify({ enabled: true, ...one }) },
    })
  }
  await owner.gql('mutation($input: UpdateTestSettingsInput!) { updateTestSettings(input: $input) { agent { id } } }', {
    input: { agentId: id, gate: 'WARN' },
  })
  await run(owner, id, 1)
  await owner.change(id, { instructions: 'Returns are free for 60 days.' })
  await run(owner, id)
  const { apiKey } = await owner.newExport(id, 'Webshop')
  await rate(apiKey, await messageOf(apiKey, 'How long may I return it?', label), 1, '')
  await rate(apiKey, await messageOf(apiKey, 'And in Norway?', label), -1, 'It does not say what it costs.')
  return id
}

/** Runs all cases and waits for the end. */
async function run(owner: Owner, agentId: string, version?: number) {
  type Started = { startTestRun: { testRun: { id: string } } }
  const { startTestRun } = await owner.gql<Started>(
    'mutation($input: StartTestRunInput!) { startTestRun(input: $input) { testRun { id } } }',
    { input: { agentId, version } },
  )
  const state = () =>
    owner.gql<{ testRun: { state: string } }>('query($id: ID!) { testRun(id: $id) { state } }', {
      id: startTestRun.testRun.id,
    })
  await expect.poll(async () => (await state()).testRun.state).toMatch(/PASSED|FAILED/)
}

async function messageOf(apiKey: string, message: string, label: string): Promise<string> {
  const { body } = await chat(apiKey, message, label)
  return String(body.message_id)
}

async function rate(apiKey: string, messageId: string, value: number, note: string) {
  const response = await fetch(addresses().chat, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ rating: { message_id: messageId, value, note } }),
  })
  expect(response.status).toBe(200)
}
