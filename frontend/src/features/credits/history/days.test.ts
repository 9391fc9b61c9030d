import { expect, test } from 'vitest'
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
