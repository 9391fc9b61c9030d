import { expect, test } from 'vitest'
import type { UsagePoint, UsageRow, UsageTime } from '../queries'
import { barsOf, coloursOf, keyOf, nameOf, sorted } from './series'

const row = (name: string | null, credits: number, more: Partial<UsageRow> = {}): UsageRow => ({
  agent: null,
  agentName: null,
  export: null,
  exportName: null,
  userId: null,
  status: null,
  durationP50Ms: null,
  durationP95Ms: null,
  model: name,
  rest: false,
  messages: credits,
  failed: 0,
  refused: 0,
  credits,
  inputTokens: 0,
  outputTokens: 0,
  ...more,
})
const time = (start: string, messages: number): UsageTime => ({
  start,
  messages,
  credits: messages,
  durationP50Ms: null,
  durationP95Ms: null,
})

test('rows stand by credits, and the rest of all keys last', () => {
  const rows = [row('a', 1), row(null, 90, { rest: true }), row(null, 5), row('b', 7)]
  expect(sorted('model', 'credits', rows).map((one) => keyOf('model', one))).toEqual(['b', ' none', 'a', ' rest'])
  expect(rows.map((one) => nameOf('model', one))).toEqual(['a', undefined, undefined, 'b'])
})

test('requests that cost nothing count where the split is by status', () => {
  const rows = [row(null, 3, { status: 'answered' }), row(null, 0, { status: 'rate_limited', refused: 8, messages: 0 })]
  expect(sorted('status', 'messages', rows).map(({ status }) => status)).toEqual(['rate_limited', 'answered'])
})

test('every interval has a bar, five series have their own, and the sums are those of the points', () => {
  const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name, at) => row(name, 10 - at))
  const times = [time('d1', 9), time('d2', 0), time('d3', 4)]
  const points: UsagePoint[] = [
    ...['a', 'c', 'f', 'g'].map((name) => ({ ...row(name, 2), start: 'd1' })),
    { ...row(null, 3, { rest: true }), start: 'd1' },
    { ...row('b', 4), start: 'd3' },
  ]
  expect(barsOf({ split: 'model', points, times }, 'credits', rows)).toEqual([
    { start: 'd1', messages: 9, '0': 2, '2': 2, other: 7 },
    { start: 'd2', messages: 0 },
    { start: 'd3', messages: 4, '1': 4 },
  ])
})

test('bars and rows count what is shown', () => {
  const rows = [row('a', 9, { inputTokens: 1, outputTokens: 2 }), row('b', 5, { inputTokens: 40, messages: 70 })]
  const shown = (show: 'credits' | 'messages' | 'tokens' | 'time') =>
    sorted('model', show, rows).map((one) => one.model)
  expect([shown('credits'), shown('messages'), shown('tokens'), shown('time')].map(([first]) => first)).toEqual([
    'a',
    'b',
    'b',
    'b',
  ])
  const points: UsagePoint[] = [{ ...row('b', 4, { inputTokens: 30, outputTokens: 6 }), start: 'd1' }]
  expect(barsOf({ split: 'model', points, times: [time('d1', 4)] }, 'tokens', rows)).toEqual([
    { start: 'd1', messages: 4, '1': 36 },
  ])
})

test('a series keeps its colour when others overtake it, unless one of them has the same', () => {
  const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, at) => row(name, 10 - at))
  const colours = coloursOf('model', rows)
  expect(new Set(colours.values()).size).toBe(5)
  expect(colours.has('f')).toBe(false)
  expect(coloursOf('model', rows.slice(0, 5).toReversed())).toEqual(colours)
})
