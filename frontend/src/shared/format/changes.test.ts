import { expect, test } from 'vitest'
import { countChange, successChange, timeChange } from './changes'

test('more messages are good, fewer are no fault', () => {
  expect(countChange(4540, 4079, 4079)).toEqual({ kind: 'up', by: 11.3, tone: 'good' })
  expect(countChange(4079, 4540, 4540)).toEqual({ kind: 'down', by: 10.2 })
  expect(countChange(10_000, 10_001, 10_001)).toEqual({ kind: 'same' })
})

test.each([
  [25, 19, 19, undefined],
  [25, 20, 20, { kind: 'up', by: 25, tone: 'good' }],
  // Of credits it is the messages that count.
  [500, 400, 19, undefined],
  [5, 0, 40, undefined],
  [400, 100, 100, undefined],
  [399, 100, 100, { kind: 'up', by: 299, tone: 'good' }],
  [0, 100, 100, { kind: 'down', by: 100 }],
])('%d after %d of %d messages: a change is told only where it says something', (now, before, messages, change) => {
  expect(countChange(now, before, messages)).toEqual(change)
})

test('a falling rate of success is told in points, and is bad below 95%', () => {
  expect(successChange({ messages: 940, failed: 60 }, { messages: 993, failed: 7 })).toEqual({
    kind: 'down',
    by: 5.3,
    tone: 'bad',
  })
  expect(successChange({ messages: 974, failed: 26 }, { messages: 993, failed: 7 })).toEqual({ kind: 'down', by: 1.9 })
  expect(successChange({ messages: 993, failed: 7 }, { messages: 974, failed: 26 })).toMatchObject({ tone: 'good' })
  expect(successChange({ messages: 9, failed: 10 }, { messages: 993, failed: 7 })).toEqual({ kind: 'down', by: 51.9 })
  expect(successChange({ messages: 99, failed: 1 }, { messages: 99, failed: 1 })).toEqual({ kind: 'same' })
  expect(successChange({ messages: 0, failed: 0 }, { messages: 40, failed: 0 })).toBeUndefined()
  expect(successChange({ messages: 40, failed: 0 }, { messages: 18, failed: 1 })).toBeUndefined()
})

const timed = (durationP50Ms: number | null, messages = 20) => ({ messages, durationP50Ms })

test('slower is bad; only twice or half is another time', () => {
  expect(timeChange(timed(2400), timed(1200))).toEqual({ kind: 'up', by: 1200, tone: 'bad' })
  expect(timeChange(timed(600), timed(1200))).toEqual({ kind: 'down', by: 600, tone: 'good' })
  expect(timeChange(timed(2399), timed(1200))).toEqual({ kind: 'same' })
  expect(timeChange(timed(601), timed(1200))).toEqual({ kind: 'same' })
  expect(timeChange(timed(null), timed(1200))).toBeUndefined()
  expect(timeChange(timed(2400), timed(1200, 19))).toBeUndefined()
})
