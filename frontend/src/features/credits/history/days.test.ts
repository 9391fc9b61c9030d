import { expect, test } from 'vitest'
import { startOfDate } from '@/shared/time'
import { type Added, daysOf } from './days'

const used = [
  { start: '2026-01-01T05:00:00Z', credits: 10, messages: 2 },
  { start: '2026-01-02T05:00:00Z', credits: 0, messages: 0 },
  { start: '2026-01-03T05:00:00Z', credits: 7, messages: 1 },
]
const to = '2026-01-04T05:00:00Z'
const range = { from: '2026-01-01T17:00:00Z', to }
const added = (createdAt: string, amount: number, kind: Added['kind'] = 'GRANT'): Added => ({
  id: createdAt,
  kind,
  amount,
  createdAt,
})
const additions = [added('2026-01-03T05:00:00Z', 50), added('2026-01-03T04:59:59Z', -3, 'ADJUSTMENT')]

test('days have what was used and added, newest first, and the balance at their end', () => {
  const days = daysOf(used, additions, range, [100, 130])
  expect(days.map(({ from, to: end, credits, added: sum, balance }) => [from, end, credits, sum, balance])).toEqual([
    ['2026-01-03T05:00:00Z', to, 7, 50, 137 - 7],
    ['2026-01-02T05:00:00Z', '2026-01-03T05:00:00Z', 0, -3, 87],
    [range.from, '2026-01-02T05:00:00Z', 10, 0, 90],
  ])
})

// The clocks of New York are put forward on March 8 and back on November 1.
test.each([
  ['2026-03-08', 23],
  ['2026-11-01', 25],
])('acceptance 12: %s has %d hours, and everything of it counts', (date, hours) => {
  const starts = [-1, 0, 1, 2].map((offset) => startOfDate(date, offset) ?? '')
  const [, start = '', end = '', to = ''] = starts
  expect((Date.parse(end) - Date.parse(start)) / 3_600_000).toBe(hours)
  const days = starts.slice(0, 3).map((each) => ({ start: each, credits: 1, messages: 1 }))
  const last = new Date(Date.parse(end) - 1).toISOString()
  const given = [
    added(start, 10),
    added(last, 10),
    added(end, 5),
    added(new Date(Date.parse(start) - 1).toISOString(), 3),
  ]
  const rows = daysOf(days, given, { from: starts[0] ?? '', to }, [0, 28 - 3])
  expect(rows.map((day) => [day.from, day.added, day.balance])).toEqual([
    [end, 5, 25],
    [start, 20, 21],
    [starts[0], 3, 2],
  ])
})

test('balances that do not add up are left out', () => {
  expect(daysOf(used, additions, range, [100, 131]).map(({ balance }) => balance)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(daysOf(used, additions, range).map(({ balance }) => balance)).toEqual([undefined, undefined, undefined])
})

test('days without anything have no row, free messages have one', () => {
  const free = { start: '2026-01-02T05:00:00Z', credits: 0, messages: 4 }
  expect(daysOf(used, [], range).map(({ start }) => start)).toEqual([used[2]?.start, used[0]?.start])
  expect(daysOf([free], [], range)).toHaveLength(1)
})
