import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { endpoint, firstCall, languages, needsUser, production, response, sample, sampled, streaming } from './snippets'

const origin = 'https://chat.example.com:8443'

test.each(languages)('acceptance 5: $label carries the origin, the time limit and the retry rules', ({ id }) => {
  const code = production(id, { origin })
  expect(code).toContain(`${origin}/v1/agent/chat`)
  expect(code).not.toContain('{{')
  expect(code).toContain('Idempotency-Key')
  expect(code.toLowerCase()).toContain('x-request-id')
  expect(code.toLowerCase()).toContain('retry-after')
  expect(code).toMatch(/100/)
  expect(code, 'seconds of retries').toMatch(/200/)
  expect(code).toContain('$AGENTCHAT_API_KEY')
})

const plain = sample({ variables: [], withUserId: false })
const full = sample({
  variables: [
    { name: 'a', required: true },
    { name: 'b', required: true },
  ],
  withUserId: true,
})

test('the first call is one command of at most five lines, with its key in a variable', () => {
  for (const command of [firstCall(plain, { origin }), firstCall(full, { origin })]) {
    expect(command.split('\n').length).toBeLessThanOrEqual(5)
    expect(command).toMatch(/^curl https:\/\/chat\.example\.com:8443\/v1\/agent\/chat /)
  }
  expect(firstCall(plain)).toContain('-H "Authorization: Bearer $AGENTCHAT_API_KEY"')
  expect(firstCall(full)).toContain(
    `-d '{"message": "Hello!", "session_id": "customer-42", "user_id": "user-1", "variables": {"a": "example", "b": "example"}}'`,
  )
})

/** What a shell hands to curl: its arguments, one by one. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  const out = execFileSync('sh', ['-c', script], { env: { ...process.env, AGENTCHAT_API_KEY: 'the key' } })
  return out.toString('utf8').split('\0').slice(0, -1)
}

test.each([
  'Where is my parcel?',
  `It's "quoted", \\ and $HOME \`id\` $(id) !`,
  'two\nlines\tand a tab',
  '@/etc/hosts',
  'turned \u202e around, emoji 👩‍🚀, ünïcödé',
  `'; echo hacked; '`,
])('a shell hands a message on exactly: %j', (message) => {
  const variables = [
    { name: 'tone', value: `it's\n"plain"` },
    { name: '__proto__', value: '' },
  ]
  const given = argumentsOf(firstCall({ message, sessionId: "o'clock", userId: "o'user", variables }, { origin }))
  expect(given).toContain(`${origin}/v1/agent/chat`)
  expect(given).toContain('Authorization: Bearer the key')
  const body = given[given.indexOf('-d') + 1] ?? ''
  expect(JSON.parse(body)).toMatchObject({ message, session_id: "o'clock", user_id: "o'user" })
  expect(body).toContain(`"variables": {"tone": "it's\\n\\"plain\\"", "__proto__": ""}}`)
  expect(body).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})

test('acceptance 6: no program holds a key: each reads the variable', () => {
  for (const { id } of languages) {
    expect(production(id, { origin })).not.toContain('agc_')
    expect(streaming(id, { origin })).toContain('AGENTCHAT_API_KEY')
  }
})

const examples = { curl: 'chat.sh', python: 'chat.py', javascript: 'chat.js', go: 'main.go', php: 'chat.php' }

test.each(languages)('$label streams with the example program', ({ id }) => {
  const example = readFileSync(join(process.cwd(), '../examples/streaming', examples[id]), 'utf8')
  expect(`${streaming(id, { origin: 'http://127.0.0.1:8080' })}\n`).toBe(example)
  expect(streaming(id, { origin })).toContain(`${origin}/v1/agent/chat`)
})

test.each([
  ['curl', `"customer-42", "user_id": "user-1", "variables": {"a": "example"}, "stream": true}`],
  ['python', `"session_id": session_id, "user_id": "user-1", "variables": {"a": "example"}, "stream": True}`],
  ['javascript', `session_id: sessionId, user_id: 'user-1', variables: { a: 'example' }, stream: true }`],
  [
    'go',
    `"session_id": sessionID, "user_id": "user-1", "variables": map[string]string{"a": "example"}, "stream": true}`,
  ],
  ['php', `'session_id' => $sessionId, 'user_id' => 'user-1', 'variables' => ['a' => 'example'], 'stream' => true]`],
] as const)('%s streams what the agent needs', (language, part) => {
  expect(streaming(language, { origin, names: ['a'], withUserId: true })).toContain(part)
})

test('without variables no program speaks of them', () => {
  for (const { id } of languages) expect(production(id, { origin })).not.toContain('variables')
})

test.each([
  [
    'curl',
    [`send '{"message": "Hello!", "session_id": "customer-42", "variables": {"a": "example", "b": "example"}}'`],
  ],
  [
    'python',
    [
      'def chat(message, session_id, variables):',
      'send({"message": message, "session_id": session_id, "variables": variables})["reply"]',
      'print(chat("Hello!", "customer-42", {"a": "example", "b": "example"}))',
    ],
  ],
  [
    'javascript',
    [
      'async function chat(message, sessionId, variables) {',
      'send({ message, session_id: sessionId, variables })',
      `chat('Hello!', 'customer-42', { a: 'example', b: 'example' }).then`,
    ],
  ],
  [
    'go',
    [
      'func chat(message, sessionID string, variables map[string]string) (string, error) {',
      'map[string]any{"message": message, "session_id": sessionID, "variables": variables}',
      'chat("Hello!", "customer-42", map[string]string{"a": "example", "b": "example"})',
    ],
  ],
  [
    'php',
    [
      'function chat(string $message, string $sessionId, array $variables): string',
      `['message' => $message, 'session_id' => $sessionId, 'variables' => $variables]`,
      `echo chat('Hello!', 'customer-42', ['a' => 'example', 'b' => 'example']), PHP_EOL;`,
    ],
  ],
] as const)('%s sends values with the message', (language, parts) => {
  const code = production(language, { origin, names: ['a', 'b'] })
  for (const part of parts) expect(code).toContain(part)
  expect(code).not.toContain('{{')
})

test.each([
  ['curl', [`send '{"message": "Hello!", "session_id": "customer-42", "user_id": "user-1"}'`]],
  [
    'python',
    [
      'def chat(message, session_id, user_id):',
      '{"message": message, "session_id": session_id, "user_id": user_id}',
      'chat("Hello!", "customer-42", "user-1")',
    ],
  ],
  [
    'javascript',
    [
      'chat(message, sessionId, userId) {',
      '{ message, session_id: sessionId, user_id: userId }',
      `chat('Hello!', 'customer-42', 'user-1')`,
    ],
  ],
  [
    'go',
    [
      'chat(message, sessionID string, userID string) (',
      '{"message": message, "session_id": sessionID, "user_id": userID}',
      'chat("Hello!", "customer-42", "user-1")',
    ],
  ],
  [
    'php',
    [
      'chat(string $message, string $sessionId, string $userId): string',
      `['message' => $message, 'session_id' => $sessionId, 'user_id' => $userId]`,
      `chat('Hello!', 'customer-42', 'user-1')`,
    ],
  ],
] as const)('%s sends a user_id where it is needed', (language, parts) => {
  const code = production(language, { origin, withUserId: true })
  for (const part of parts) expect(code).toContain(part)
  expect(production(language, { origin })).not.toMatch(/user_?id/i)
})

const acting = { origin, actions: ['order_status', 'refund'], withUserId: true, names: ['a'] }

test.each(languages)('$label runs what a reply asks for, and names the place of each action', ({ id }) => {
  const code = production(id, acting)
  expect(code).not.toContain('{{')
  for (const part of ['action_results', 'finish_reason', 'order_status', 'refund']) expect(code).toContain(part)
  expect(code.match(/your code/g)).toHaveLength(2)
  expect(code.match(/kept across retries/g), 'one text of the retries').toHaveLength(1)
  const results = code.split('\n').find((line) => line.includes('action_results'))
  expect(results, 'results come from the same end user').toMatch(/user_id/)
  expect(results, 'and without variables').not.toContain('variables')
})

test.each(languages)('$label has nothing of actions for an agent without them', ({ id }) => {
  expect(production(id, { origin })).not.toMatch(/action|output|finish_reason|\n\n\n\n/)
})

test.each([
  ['python', 'return reply["reply"]', 'return reply["output"]'],
  ['javascript', 'return reply.reply', 'return reply.output'],
  ['go', 'return result.Reply, err', 'return string(result.Output), err'],
  ['php', "return $reply['reply'];", "return json_encode($reply['output'], JSON_THROW_ON_ERROR);"],
] as const)('%s prints the output under a reply schema', (language, text, output) => {
  expect(production(language, acting)).toContain(text)
  const code = production(language, { ...acting, withOutput: true })
  expect(code).toContain(output)
  expect(code).not.toContain(text)
})

test('a user_id goes before the values', () => {
  const code = production('python', { origin, withUserId: true, names: ['a'] })
  expect(code).toContain('def chat(message, session_id, user_id, variables):')
  expect(code).toContain('chat("Hello!", "customer-42", "user-1", {"a": "example"})')
})

test('a user_id is needed while an export in use asks for it', () => {
  const row = { state: 'ACTIVE', requireUserId: false, userDailyMessageLimit: null } as const
  expect(needsUser([])).toBe(false)
  expect(needsUser([row, { ...row, state: 'REMOVED', requireUserId: true }])).toBe(false)
  expect(needsUser([row, { ...row, state: 'PAUSED', requireUserId: true }])).toBe(true)
  expect(needsUser([{ ...row, userDailyMessageLimit: 5 }])).toBe(true)
})

test('the required variables are given values, or else the first', () => {
  const of = (name: string, required: boolean) => ({ name, required })
  expect(sampled([of('a', false), of('b', true), of('c', true)])).toEqual(['b', 'c'])
  expect(sampled([of('a', false), of('b', false)])).toEqual(['a'])
  expect(sampled([])).toEqual([])
})

test('the endpoint is the address of the page', () => {
  expect(endpoint()).toBe(`${window.location.origin}/v1/agent/chat`)
})

test('the sample of a response has the fields of the contract', () => {
  const { components } = parse(readFileSync(join(process.cwd(), '../rest/openapi.yaml'), 'utf8'))
  const { ChatReply, StreamStart, StreamDelta } = components.schemas
  const sampleReply = JSON.parse(response())
  // A reply to a message has more fields than the response to a rating.
  const [message] = ChatReply.not.anyOf[0].not.anyOf
  expect(Object.keys(sampleReply).sort()).toEqual([...ChatReply.required, ...message.required].sort())
  expect(Object.keys(ChatReply.properties)).toContain('output')
  expect(response({ withOutput: true })).toContain('"output"')
  const data = [...response({ streamed: true }).matchAll(/^data: (.*)$/gm)].map(([, text]) => JSON.parse(text ?? ''))
  expect(data.map(Object.keys)).toEqual([StreamStart.required, StreamDelta.required, Object.keys(sampleReply)])
})
