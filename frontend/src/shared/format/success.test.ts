import { expect, test } from 'vitest'
import { formatShare, isPoor, percentOf, successOf } from '.'

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

test('only what is whole is 100%', () => {
  expect(percentOf(0.99996)).toBe(99.9)
  expect(percentOf(1)).toBe(100)
  expect(percentOf(0.29)).toBe(29)
  expect(percentOf(0)).toBe(0)
  expect([0.99996, 1, 0.985, 0].map(formatShare)).toEqual(['99.9%', '100%', '98.5%', '0%'])
})
