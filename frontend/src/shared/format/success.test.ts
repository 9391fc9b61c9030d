import { expect, test } from 'vitest'
import { isPoor, successOf } from '.'

test('success is what was answered of what was answered or failed', () => {
  expect(successOf({ messages: 3, failed: 1 })).toBe(0.75)
  expect(successOf({ messages: 3 })).toBe(1)
  expect(successOf({ messages: 0, failed: 0 })).toBeNull()
})

test('a rate is poor from 20 messages and below 95%', () => {
  expect(isPoor({ messages: 18, failed: 1 })).toBe(false)
  expect(isPoor({ messages: 18, failed: 2 })).toBe(true)
  expect(isPoor({ messages: 19, failed: 1 })).toBe(false)
  expect(isPoor({ messages: 0, failed: 20 })).toBe(true)
})
