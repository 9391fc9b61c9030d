import { describe, expect, test } from 'vitest'
import { areKept, barsOf, countsOf, countsOfList, lastHour, stripSpan } from './counts'
import type { RequestRow } from './queries'

const now = new Date(2026, 10, 20, 15).getTime()
const day = (date: number) => new Date(2026, 10, date).toISOString()
const none = { messages: 0, failed: 0, refused: 0 }

describe('the strip', () => {
  test('has hours up to 7 days, of whatever length, and otherwise days of at most a year', () => {
    // The clock goes back on November 1.
    expect(stripSpan({ from: day(1), to: day(8) }, now)).toEqual({ from: day(1), to: day(8), interval: 'HOUR' })
    expect(stripSpan({ from: day(1), to: day(9) }, now).interval).toBe('DAY')
    expect(stripSpan({}, now)).toEqual({ from: new Date(2025, 10, 20).toISOString(), to: day(21), interval: 'DAY' })
  })

  test('of a time that has not come, it has a day', () => {
    expect(stripSpan({ from: day(25) }, now)).toEqual({ from: day(25), to: day(26), interval: 'HOUR' })
  })

  test('each bar ends where the next one begins; an open period begins with the first request', () => {
    const rows = [
      { ...none, start: day(1) },
      { ...none, start: day(2), failed: 3 },
    ]
    const [empty, full] = barsOf(rows, { to: day(3) })
    expect([empty?.to, full?.to, full?.failed]).toEqual([day(2), day(3), 3])
    expect(barsOf(rows, { to: day(3) }, true).map(({ from }) => from)).toEqual([day(2)])
  })
})

describe('the numbers', () => {
  const agent = { id: 'a1' }
  const rows = [
    { ...none, status: 'answered', agent, rest: false, messages: 9 },
    { ...none, status: 'rate_limited', agent, rest: false, refused: 5 },
    { ...none, status: 'unavailable', agent: { id: 'a2' }, rest: false, failed: 1, refused: 1 },
    { ...none, status: 'model_timeout', agent, rest: false, failed: 1 },
    { ...none, status: 'model_timeout', agent: { id: 'a2' }, rest: false, failed: 2 },
    { ...none, status: 'model_timeout', agent: null, rest: false, failed: 40 },
  ]

  test('are those of the list, which has no deleted agents; codes of 5xx come first', () => {
    expect(countsOf(rows, true)).toEqual({
      codes: [
        { code: 'model_timeout', failed: true, count: 3 },
        { code: 'unavailable', failed: true, count: 2 },
        { code: 'rate_limited', failed: false, count: 5 },
      ],
      all: 19,
      ANSWERED: 9,
      FAILED: 4,
      REFUSED: 6,
    })
  })

  test('of a whole list are exact', () => {
    const row = (outcome: string, code: string | null) => ({ node: { outcome, code, agent } }) as RequestRow
    const list = [row('ANSWERED', null), row('REFUSED', 'rate_limited'), row('REFUSED', 'rate_limited')]
    expect(countsOfList([...list, row('FAILED', 'unavailable'), row('REFUSED', 'unavailable')])).toEqual({
      codes: [
        { code: 'unavailable', failed: true, count: 2 },
        { code: 'rate_limited', failed: false, count: 2 },
      ],
      all: 5,
      ANSWERED: 1,
      FAILED: 1,
      REFUSED: 3,
    })
  })

  test('are missing where rejected requests may be gone', () => {
    const { codes, ...sums } = countsOf(rows, false)
    expect(sums).toEqual({ ANSWERED: 9, FAILED: 4 })
    expect(codes.map(({ count }) => count)).toEqual([3, undefined, undefined])
  })

  test('are missing where the service has summed up rows', () => {
    const { codes, ...sums } = countsOf([...rows, { ...none, rest: true, messages: 2 }], true)
    expect(sums).toEqual({})
    expect(codes.map(({ count }) => count)).toEqual([undefined, undefined, undefined])
  })
})

test('rejected requests are kept for some days', () => {
  expect([areKept(day(14), 7, now), areKept(day(13), 7, now), areKept(undefined, 7, now)]).toEqual([true, false, false])
})

test('the last hour has four quarters, with the one that now is in', () => {
  const at = (time: string) => `2026-11-20T${time}:00.000Z`
  expect(lastHour(Date.parse(at('14:14')))).toEqual({ from: at('13:15'), to: at('14:15') })
})
