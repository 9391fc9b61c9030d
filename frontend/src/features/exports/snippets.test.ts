import { expect, test } from 'vitest'
import { endpoint, languages, snippet } from './snippets'

const origin = 'https://chat.example.com:8443'

test.each(languages)('$label carries the origin, the time limit and the retry rules', ({ id }) => {
  const code = snippet(id, undefined, origin)
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
  expect(snippet('curl', key, origin)).toContain(`export AGENTCHAT_API_KEY='${key}'`)
  for (const { id } of languages) expect(snippet(id, undefined, origin)).not.toContain('agc_')
})

test('the endpoint is the address of the page', () => {
  expect(endpoint()).toBe(`${window.location.origin}/v1/agent/chat`)
})
