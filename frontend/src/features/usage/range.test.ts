import { expect, test } from 'vitest'
import { paceOf, timesOf } from './range'

const now = new Date(2026, 2, 20, 14, 30).getTime()
const at = (...parts: [number, number, number, number?]) => new Date(...parts).toISOString()

test('this month ends today, and is compared with as much of the last one', () => {
  expect(timesOf({}, now)).toEqual({
    from: at(2026, 2, 1),
    to: at(2026, 2, 21),
    interval: 'DAY',
    // The clock was put forward on March 8: as many hours of February end an hour earlier.
    before: { from: at(2026, 1, 1), to: at(2026, 1, 20, 14) },
    whole: { from: at(2026, 1, 1), to: at(2026, 2, 1) },
  })
  // March is longer than February.
  expect(timesOf({}, new Date(2026, 2, 31, 9).getTime())?.before.to).toBe(at(2026, 2, 1))
  expect(timesOf({}, new Date(2026, 2, 1).getTime())?.before).toEqual({ from: at(2026, 1, 1), to: at(2026, 1, 1, 1) })
})

test('last month is compared with the one before it', () => {
  expect(timesOf({ range: 'last' }, new Date(2026, 0, 31).getTime())).toEqual({
    from: at(2025, 11, 1),
    to: at(2026, 0, 1),
    interval: 'DAY',
    before: { from: at(2025, 10, 1), to: at(2025, 11, 1) },
  })
})

test('days of one’s own are whole; two are cut into hours, and long ranges into months', () => {
  const own = { range: 'own', from: '2026-01-05', to: '2026-01-07' } as const
  expect(timesOf(own, now)).toEqual({
    from: at(2026, 0, 5),
    to: at(2026, 0, 8),
    interval: 'DAY',
    before: { from: at(2026, 0, 2), to: at(2026, 0, 5) },
  })
  expect(timesOf({ ...own, to: '2026-01-06' }, now)?.interval).toBe('HOUR')
  expect(timesOf({ ...own, from: '2025-01-01' }, now)?.interval).toBe('MONTH')
  expect(timesOf({ ...own, to: '2026-01-04' }, now)).toBeUndefined()
  expect(timesOf({ range: 'own' }, now)).toBeUndefined()
})

test('the pace of a month is told from its second day on, and of no other range', () => {
  const april = new Date(2026, 3, 16).getTime()
  expect(paceOf(150, timesOf({}, april) ?? never(), april)).toBe(300)
  const first = new Date(2026, 3, 1, 23).getTime()
  expect(paceOf(150, timesOf({}, first) ?? never(), first)).toBeUndefined()
  expect(paceOf(150, timesOf({ range: 'last' }, april) ?? never(), april)).toBeUndefined()
})

function never(): never {
  throw new Error('no range')
}
