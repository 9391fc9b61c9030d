import { expect, test } from 'vitest'
import { isBackward, lastDays, lastWeek, startOfDate, startOfMonth } from './days'

const now = new Date(2026, 2, 30, 15, 20).getTime()

test('the last 30 days are whole days, the present one included', () => {
  const { from, to } = lastDays(30, now)
  expect(new Date(from)).toEqual(new Date(2026, 2, 1))
  expect(new Date(to)).toEqual(new Date(2026, 2, 31))
})

// The clocks are put forward on March 8 and back on November 1.
test.each([
  [new Date(2026, 2, 20), new Date(2026, 1, 19)],
  [new Date(2026, 10, 10), new Date(2026, 9, 12)],
])('acceptance 12: days of 23 and 25 hours are days: up to %s', (last, first) => {
  expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe('America/New_York')
  const { from, to } = lastDays(30, last.getTime())
  expect(new Date(from)).toEqual(first)
  expect(new Date(to)).toEqual(new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1))
})

test('only a date of the calendar has a start', () => {
  expect(startOfDate('2026-02-30')).toBeUndefined()
  expect(startOfDate('soon')).toBeUndefined()
})

test('a month begins with its first day, whatever day it is now', () => {
  expect(startOfMonth(new Date(2026, 2, 31, 23).getTime())).toBe(new Date(2026, 2, 1).toISOString())
  expect(startOfMonth(new Date(2026, 0, 31).getTime(), -2)).toBe(new Date(2025, 10, 1).toISOString())
})

test('the last seven days have seven dates, also where one has 23 hours', () => {
  expect(lastWeek(new Date(2026, 2, 9, 0, 30).getTime())).toEqual({ from: '2026-03-03', to: '2026-03-09' })
})

test.each([
  [{ from: '2026-01-02', to: '2026-01-01' }, true],
  [{ from: '2026-01-02', to: '2026-01-02' }, false],
  [{ from: '2026-01-02' }, false],
  [{ to: '2026-01-02' }, false],
])('%o is backward: %s', (range, want) => {
  expect(isBackward(range)).toBe(want)
})
