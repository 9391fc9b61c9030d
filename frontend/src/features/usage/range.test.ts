import { expect, test } from 'vitest'
import { timesOf } from './range'

const now = new Date(2026, 2, 20, 14, 30).getTime()
const at = (...parts: [number, number, number, number?]) => new Date(...parts).toISOString()

test('a range reaches to the end of the hour or of the day, with the one before it', () => {
  expect(timesOf({ range: '24h' }, now)).toEqual({
    from: at(2026, 2, 19, 15),
    to: at(2026, 2, 20, 15),
    before: at(2026, 2, 18, 15),
    interval: 'HOUR',
  })
  expect(timesOf({}, now)).toMatchObject({ from: at(2026, 1, 19), to: at(2026, 2, 21), interval: 'DAY' })
  expect(timesOf({ range: '90d' }, now)).toMatchObject({ to: at(2026, 2, 21), interval: 'DAY' })
})

test('days of one’s own are whole, and long ranges are cut into months', () => {
  const own = { range: 'own', from: '2026-01-05', to: '2026-01-06' } as const
  expect(timesOf(own, now)).toMatchObject({ from: at(2026, 0, 5), to: at(2026, 0, 7), interval: 'DAY' })
  expect(timesOf({ ...own, from: '2025-01-01' }, now)?.interval).toBe('MONTH')
  expect(timesOf({ ...own, to: '2026-01-04' }, now)).toBeUndefined()
  expect(timesOf({ range: 'own' }, now)).toBeUndefined()
})
