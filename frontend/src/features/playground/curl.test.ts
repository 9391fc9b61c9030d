import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlOf } from './curl'

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
])('a shell hands the message on exactly: %j', (message) => {
  const call = { origin: 'http://localhost:8080', message, sessionId: "o'clock", idempotencyKey: 'key-1' }
  const given = argumentsOf(curlOf(call))
  expect(JSON.parse(given[given.indexOf('--data-raw') + 1] ?? '')).toEqual({ message, session_id: "o'clock" })
  expect(given).toContain('http://localhost:8080/v1/agent/chat')
  expect(given).toContain('Authorization: Bearer the key')
  expect(given).toContain('Idempotency-Key: key-1')
})

test('values and the end user are in the command', () => {
  const call = { origin: 'http://a', message: 'Hi', sessionId: 's', idempotencyKey: 'k' }
  const variables = [
    { name: 'tone', value: `it's\n"plain"` },
    { name: '__proto__', value: '' },
  ]
  const given = argumentsOf(curlOf({ ...call, variables, userId: "o'user" }))
  expect(given[given.indexOf('--data-raw') + 1]).toBe(
    '{"message":"Hi","session_id":"s","user_id":"o\'user","variables":{"tone":"it\'s\\n\\"plain\\"","__proto__":""}}',
  )
})

test('nothing invisible is in the command', () => {
  const command = curlOf({ origin: 'http://a', message: 'a\u202eb\u200bc\u0007', sessionId: 's', idempotencyKey: 'k' })
  expect(command).toContain('a\\u202eb\\u200bc\\u0007')
})
