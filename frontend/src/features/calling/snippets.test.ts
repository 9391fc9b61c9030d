import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoint, firstCall, languages, needsUser, production, sampled, streaming } from './snippets'

const origin = 'https://chat.example.com:8443'

test.each(languages)('$label carries the origin, the time limit and the retry rules', ({ id }) => {
  const code = production(id, { origin })
  expect(code).toContain(`${origin}/v1/agent/chat`)
  expect(code).not.toContain('{{')
  expect(code).toContain('Idempotency-Key')
  expect(code).toContain('session_busy')
  expect(code).toContain('request_in_progress')
  expect(code.toLowerCase()).toContain('x-request-id')
  expect(code.toLowerCase()).toContain('retry-after')
  expect(code).toMatch(/100/)
  expect(code).toContain('$AGENTCHAT_API_KEY')
})

const key = 'agc_$&secret'

test('the first call is one command of at most five lines, with the key only while it is shown', () => {
  const names = ['a', 'b']
  for (const command of [firstCall({ origin }), firstCall({ origin, apiKey: key, names, withUserId: true })]) {
    expect(command.split('\n').length).toBeLessThanOrEqual(5)
    expect(command).toMatch(/^curl https:\/\/chat\.example\.com:8443\/v1\/agent\/chat /)
  }
  expect(firstCall({ origin, apiKey: key })).toContain(`-H "Authorization: Bearer ${key}"`)
  expect(firstCall({ origin })).toContain('-H "Authorization: Bearer $AGENTCHAT_API_KEY"')
  expect(firstCall({ origin, names, withUserId: true })).toContain(
    `-d '{"message": "Hello!", "session_id": "customer-42", "user_id": "user-1", "variables": {"a": "example", "b": "example"}}'`,
  )
})

test('no program holds a key: each reads the variable', () => {
  for (const { id } of languages) {
    expect(production(id, { origin })).not.toContain('agc_')
    expect(streaming(id, { origin })).toContain('AGENTCHAT_API_KEY')
  }
})

test.each(languages)('$label streams with the program of the guide', ({ id }) => {
  const guide = readFileSync(join(process.cwd(), '../docs/streaming.md'), 'utf8')
  const program = streaming(id, { origin: 'http://127.0.0.1:8080' })
  expect(program.length).toBeGreaterThan(300)
  expect(guide).toContain(`\n${program}\n`)
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
  ['curl', [`-d '{"message": "Hello!", "session_id": "customer-42", "variables": {"a": "example", "b": "example"}}')`]],
  [
    'python',
    [
      'def chat(message, session_id, variables):',
      'json.dumps({"message": message, "session_id": session_id, "variables": variables})',
      'print(chat("Hello!", "customer-42", {"a": "example", "b": "example"}))',
    ],
  ],
  [
    'javascript',
    [
      'async function chat(message, sessionId, variables) {',
      'JSON.stringify({ message, session_id: sessionId, variables })',
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
  ['curl', [`-d '{"message": "Hello!", "session_id": "customer-42", "user_id": "user-1"}')`]],
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
