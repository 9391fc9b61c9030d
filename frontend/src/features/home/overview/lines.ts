import { successOf } from '@/shared/format'
import { formatHour, formatShortDay } from '@/shared/time'
import type { Series, SparkLabels } from '@/shared/ui'
import { type HomeUsage, scales } from '../usage'

type Counts = { messages: number; failed?: number; credits?: number }

/** The hours or days of the period, with what was counted in each. */
export const pointsOf = ({ range, usage }: HomeUsage) => usage.points.slice(-scales[range].points)

/** The values of a line with their hours or days. */
export function labelsOf(data: HomeUsage, values: readonly string[]): SparkLabels {
  const format = data.range === '24h' ? formatHour : formatShortDay
  return pointsOf(data).map(({ start }, at) => [format(start ?? ''), values[at] ?? ''])
}

/** The lines of the figures: of the period, and of the one before. */
export function linesOf(data: HomeUsage) {
  const { at, range, usage } = data
  const { points: count } = scales[range]
  const points = usage.points
  const now = finished(pointsOf(data), at, range)
  const before = points.slice(-2 * count, -count)
  const both = (value: (point: (typeof now)[number]) => number | null) => ({
    now: now.map(value),
    before: before.map(value),
  })
  return {
    messages: both(({ messages }) => messages),
    success: both(successOf),
    median: both(({ durationP50Ms }) => durationP50Ms ?? null),
    slow: now.map(({ durationP95Ms }) => durationP95Ms ?? null),
    credits: both(({ credits }) => credits),
  }
}

/** The messages of each agent in the period, by its ID: as they are drawn, and as they were counted. */
export function agentLines(data: HomeUsage): Map<string, { now: Series; counts: number[] }> {
  const { at, range, usage } = data
  const starts = pointsOf(data).map(({ start }) => start)
  const lines = new Map<string, { start: string | null | undefined; messages: number }[]>()
  for (const { agent, start, messages } of usage.agentPoints) {
    const place = starts.indexOf(start)
    if (!agent || place < 0) continue
    const line = lines.get(agent.id) ?? starts.map((of) => ({ start: of, messages: 0 }))
    lines.set(agent.id, line.with(place, { start, messages }))
  }
  return new Map(
    [...lines].map(([id, line]) => {
      const counts = line.map(({ messages }) => messages)
      return [id, { now: finished(line, at, range).map(({ messages }) => messages), counts }] as const
    }),
  )
}

/** The last hour or day has only begun: with the one before it, it is drawn as the rate of both, so that no line seems to fall. */
function finished<Point extends Counts & { start?: string | null }>(
  points: Point[],
  at: number,
  range: HomeUsage['range'],
): Point[] {
  const [previous, last] = points.slice(-2)
  if (!previous || !last) return points
  const passed = Math.min(Math.max((at - Date.parse(last.start ?? '')) / scales[range].pointMs, 0), 1)
  const rate = (name: keyof Counts) => ((previous[name] ?? 0) + (last[name] ?? 0)) / (1 + passed)
  const counts = { messages: rate('messages'), failed: rate('failed'), credits: rate('credits') }
  return points.with(-1, { ...last, ...counts })
}
