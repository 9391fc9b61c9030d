import type { Counts, UsageData, UsagePoint, UsageRow } from '../queries'
import type { Measure, Split } from '../useUsageSearch'

type Keyed = Pick<UsageRow | UsagePoint, 'agentName' | 'exportName' | 'model' | 'userId' | 'status' | 'rest'> & {
  agent?: { id: string; name?: string } | null
  export?: { id: string; name?: string } | null
}

/** How many series have a colour of their own. */
export const mostSeries = 5

/** What a row stands for; the rest of all keys, and messages without one, have keys that no name can be. */
export function keyOf(split: Split, row: Keyed): string {
  if (row.rest) return ' rest'
  const key = {
    agent: row.agent?.id ?? row.agentName,
    export: row.export?.id ?? row.exportName,
    model: row.model,
    user: row.userId,
    status: row.status,
  }[split]
  return key ?? ' none'
}

/** The name of a row; undefined where it has none. */
export function nameOf(split: Split, row: Keyed): string | undefined {
  if (row.rest) return undefined
  const name = {
    agent: row.agent?.name ?? row.agentName,
    export: row.export?.name ?? row.exportName,
    model: row.model,
    user: row.userId,
    status: row.status,
  }[split]
  return name ?? undefined
}

/** All requests of a row, whatever their result. */
export const requestsOf = ({ messages, failed, refused }: Counts) => messages + failed + refused

/**
 * What a bar counts. Split by result, messages are all requests, as failed and refused ones would be missing otherwise; a time is no sum,
 * so rows with times stand by their messages.
 */
export function countOf(split: Split, show: Measure, counts: Counts): number {
  const { credits, messages, inputTokens, outputTokens } = counts
  if (show === 'credits') return credits
  if (show === 'tokens') return inputTokens + outputTokens
  return split === 'status' ? requestsOf(counts) : messages
}

/** The rows by what they count, most first; the rest of all keys comes last. */
export function sorted(split: Split, show: Measure, rows: readonly UsageRow[]): UsageRow[] {
  const count = (row: UsageRow) => countOf(split, show, row)
  return rows.toSorted(
    (a, b) => Number(a.rest) - Number(b.rest) || count(b) - count(a) || requestsOf(b) - requestsOf(a),
  )
}

/** One bar: its start, and a value for each series, `0` to `4` and `other`. */
export type Bar = { start: string; messages: number } & Record<string, number | string>

/** The bars of all intervals, of the rows in their order: those without a colour of their own are one series. */
export function barsOf(
  { split, points, times }: Pick<UsageData, 'split' | 'points' | 'times'>,
  show: Measure,
  rows: readonly UsageRow[],
): Bar[] {
  const place = new Map(rows.slice(0, mostSeries).map((row, at) => [keyOf(split, row), String(at)]))
  const bars = new Map<string, Bar>()
  for (const { start, messages } of times) {
    if (start) bars.set(start, { start, messages })
  }
  for (const point of points) {
    const bar = bars.get(point.start ?? '')
    if (!bar) continue
    const series = place.get(keyOf(split, point)) ?? 'other'
    bar[series] = Number(bar[series] ?? 0) + countOf(split, show, point)
  }
  return [...bars.values()]
}

/** The colours of the lines of reply times. */
export const timeColours = { median: 'var(--data-1)', p95: 'var(--data-2)' }

/** The hatching that series without a colour of their own share. */
export const otherColour = 'url(#usage-other)'

/** The colours of the first rows, by their keys. A row takes the first free one from its own, so that it mostly keeps it. */
export function coloursOf(split: Split, rows: readonly UsageRow[]): Map<string, string> {
  const taken = new Map<number, string>()
  for (const row of rows.slice(0, mostSeries)) {
    const key = keyOf(split, row)
    let place = hashOf(key) % mostSeries
    while (taken.has(place)) place = (place + 1) % mostSeries
    taken.set(place, key)
  }
  return new Map([...taken].map(([place, key]) => [key, `var(--data-${place + 1})`]))
}

const hashOf = (key: string) => [...key].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 0)
