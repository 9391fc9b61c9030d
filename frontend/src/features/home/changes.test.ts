import { expect, test } from 'vitest'
import { countChange, shareChange, timeChange } from './changes'

test('more messages are good, fewer are no fault', () => {
  expect(countChange(4540, 4079)).toEqual({ kind: 'up', by: 11.3, tone: 'good' })
  expect(countChange(4079, 4540)).toEqual({ kind: 'down', by: 10.2 })
  expect(countChange(10_000, 10_001)).toEqual({ kind: 'same' })
  expect(countChange(5, 0)).toEqual({ kind: 'first' })
})

test('a falling rate of success is bad, and is told in points', () => {
  expect(shareChange(0.974, 0.993)).toEqual({ kind: 'down', by: 1.9, tone: 'bad' })
  expect(shareChange(0.993, 0.974)).toEqual({ kind: 'up', by: 1.9, tone: 'good' })
  expect(shareChange(0.99, 0.99)).toEqual({ kind: 'same' })
  expect(shareChange(null, 0.99)).toBeUndefined()
  expect(shareChange(0.99, null)).toBeUndefined()
})

test('slower is bad; times within a tenth are the same', () => {
  expect(timeChange(1400, 1200)).toEqual({ kind: 'up', by: 200, tone: 'bad' })
  expect(timeChange(1000, 1200)).toEqual({ kind: 'down', by: 200, tone: 'good' })
  expect(timeChange(1300, 1200)).toEqual({ kind: 'same' })
  expect(timeChange(null, 1200)).toBeUndefined()
})
