import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  curlExample,
  failures,
  overview,
  path,
  replyFields,
  replyHeaders,
  requestFields,
  requestHeaders,
  requestText,
  rules,
  streamText,
} from './reference'

const contract = readFileSync(join(process.cwd(), '../rest/openapi.yaml'), 'utf8')

test('every error code of the contract has an example, so the page shows it', () => {
  const codes = [...contract.matchAll(/x-codes: \[([\w, ]+)\]/g)].flatMap(([, list]) => (list ?? '').split(', '))
  expect(codes.length).toBeGreaterThan(20)
  const shown = failures.flatMap(({ examples }) => examples.map(({ code }) => code))
  expect([...new Set(shown)].sort()).toEqual(codes.sort())
})

test('every status has its own row, in ascending order', () => {
  const statuses = [...contract.matchAll(/^ {8}'([45]\d\d)':/gm)].map(([, status]) => Number(status))
  expect(failures.map(({ status }) => status)).toEqual(statuses)
})

test('fields and headers have a description', () => {
  expect(requestFields.map(({ name }) => name)).toEqual([
    ...['message', 'session_id', 'user_id', 'variables'],
    ...['action_results', 'action_results[].id', 'action_results[].result', 'action_results[].error'],
    ...['stream', 'background'],
    ...['rating.message_id', 'rating.value', 'rating.note'],
  ])
  expect(requestFields.filter(({ required }) => required).map(({ name }) => name)).toEqual([
    ...['action_results[].id', 'rating.message_id', 'rating.value'],
  ])
  expect(replyFields.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['usage.credits_remaining', 'actions', 'actions[].arguments']),
  )
  expect(requestHeaders.map(({ name }) => name)).toEqual(['Authorization', 'Idempotency-Key', 'X-Request-Id'])
  expect(replyHeaders.map(({ name }) => name)).toContain('Retry-After')
  for (const { name, text } of [...requestFields, ...replyFields, ...requestHeaders, ...replyHeaders]) {
    expect(text.trim(), name).not.toBe('')
  }
})

test('the first call names this server, and no key', () => {
  const command = curlExample('https://chat.example.com')
  expect(command).toContain(`https://chat.example.com${path}`)
  expect(command).toContain('$AGENTCHAT_API_KEY')
  expect(command).toContain('Idempotency-Key: 4f1c9a52-order-42-1')
})

test('the texts of the contract stand under the parts they are about', () => {
  expect(overview).toMatch(/^One operation:/)
  expect(rules.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Within version 1', 'Credits', 'Actions', 'Order of the checks']),
  )
  expect(requestText).toContain('"background": true')
  expect(requestText).not.toContain('event')
  expect(streamText).toContain('"stream": true')
  expect(streamText).toContain('`error` event')
})
