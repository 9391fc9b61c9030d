import { expect, test } from 'vitest'
import { hourMs } from '@/shared/time'
import type { HomeUsage } from '../usage'
import { agentLines, linesOf } from './lines'

const start = Date.UTC(2026, 0, 1)
const at = (hour: number) => new Date(start + hour * hourMs).toISOString()

/** 49 hours, of which the last began half an hour ago; each has as many messages as its number. */
const points = Array.from({ length: 49 }, (_, hour) => ({
  start: at(hour),
  messages: hour,
  failed: 0,
  credits: 2 * hour,
  durationP50Ms: hour === 48 ? null : 100,
  durationP95Ms: 200,
}))
const usage = (rest: object = {}) =>
  ({ at: start + 48.5 * hourMs, range: '24h', usage: { points, agentPoints: [], ...rest } }) as unknown as HomeUsage

test('a line has the hours of the period and those before', () => {
  const { messages, median } = linesOf(usage())
  expect(messages.now).toHaveLength(24)
  expect(messages.before).toEqual(points.slice(1, 25).map((point) => point.messages))
  expect(messages.now.slice(0, -1)).toEqual(points.slice(25, 48).map((point) => point.messages))
  expect(median.now.at(-1)).toBeNull()
})

test('the hour that has only begun is drawn as a rate, so that no line falls', () => {
  const steady = points.map((point, hour) => ({ ...point, messages: hour === 48 ? 30 : 60 }))
  expect(linesOf(usage({ points: steady })).messages.now).toEqual(Array.from({ length: 24 }, () => 60))
})

test('hours without messages have no rate of success', () => {
  const few = points.map((point, hour) => ({ ...point, messages: hour === 40 ? 3 : 0, failed: hour === 40 ? 1 : 0 }))
  expect(linesOf(usage({ points: few })).success.now.filter((share) => share !== null)).toEqual([0.75])
})

test('an agent has a point in every hour, used or not', () => {
  const lines = agentLines(
    usage({
      agentPoints: [
        { start: at(24), agent: { id: 'a' }, messages: 9 },
        { start: at(25), agent: { id: 'a' }, messages: 4 },
        { start: at(47), agent: { id: 'a' }, messages: 6 },
        { start: at(47), agent: null, messages: 6 },
      ],
    }),
  )
  expect([...lines.keys()]).toEqual(['a'])
  const idle = Array.from({ length: 21 }, () => 0)
  expect(lines.get('a')).toEqual({ now: [4, ...idle, 6, 4], counts: [4, ...idle, 6, 0] })
})
