import { expect, test } from 'vitest'
import { endpoint, languages, needsUser, sampled, snippet } from './snippets'

const origin = 'https://chat.example.com:8443'

test.each(languages)('$label carries the origin, the time limit and the retry rules', ({ id }) => {
  const code = snippet(id, { origin })
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

test('the shell program contains the key while it is shown, and nothing does afterwards', () => {
  const key = 'agc_$&secret'
  expect(snippet('curl', { apiKey: key, origin })).toContain(`export AGENTCHAT_API_KEY='${key}'`)
  for (const { id } of languages) expect(snippet(id, { origin })).not.toContain('agc_')
})

test('without variables no program speaks of them', () => {
  for (const { id } of languages) expect(snippet(id, { origin })).not.toContain('variables')
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
  const code = snippet(language, { origin, names: ['a', 'b'] })
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
  const code = snippet(language, { origin, withUserId: true })
  for (const part of parts) expect(code).toContain(part)
  expect(snippet(language, { origin })).not.toMatch(/user_?id/i)
})

test('a user_id goes before the values', () => {
  const code = snippet('python', { origin, withUserId: true, names: ['a'] })
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
