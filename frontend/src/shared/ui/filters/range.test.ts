import { expect, test } from 'vitest'
import { rangeOf } from './range'

const now = new Date(2026, 1, 10, 15).getTime()

test('the days are the reader’s, and the last one counts as a whole', () => {
  expect(rangeOf({ from: '2026-02-27', to: '2026-02-28' }, now)).toEqual({
    from: new Date(2026, 1, 27).toISOString(),
    to: new Date(2026, 2, 1).toISOString(),
  })
})

test('a last day before the first is left out', () => {
  expect(rangeOf({ from: '2026-02-28', to: '2026-02-27' }, now)).toEqual({ from: new Date(2026, 1, 28).toISOString() })
})

test('without any it is the last 7 days, with today', () => {
  expect(rangeOf({}, now)).toEqual({
    from: new Date(2026, 1, 4).toISOString(),
    to: new Date(2026, 1, 11).toISOString(),
  })
  expect(rangeOf({ time: 'all' }, now)).toEqual({})
})
