import type { UsageData, UsagePoint, UsageRow } from './queries'

type Split = UsageData['split']
type Keyed = Pick<
  UsageRow | UsagePoint,
  'agent' | 'agentName' | 'export' | 'exportName' | 'model' | 'userId' | 'status' | 'rest'
>
type Counts = Pick<UsageRow, 'credits' | 'messages' | 'failed' | 'refused'>

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

/** What a bar counts: credits, or requests where the split is by status, as failed and refused ones cost nothing. */
export const countOf = (split: Split, { credits, messages, failed, refused }: Counts) =>
  split === 'status' ? messages + failed + refused : credits

/** The rows by what they count, most first; the rest of all keys comes last. */
export function sorted({ split, rows }: Pick<UsageData, 'split' | 'rows'>): UsageRow[] {
  const requests = (row: UsageRow) => row.messages + row.failed + row.refused
  return rows.toSorted(
    (a, b) => Number(a.rest) - Number(b.rest) || countOf(split, b) - countOf(split, a) || requests(b) - requests(a),
  )
}

/** One bar: its start, and a value for each series, `0` to `4` and `other`. */
export type Bar = { start: string; messages: number } & Record<string, number | string>

/** The bars of all intervals, of the rows in their order: those without a colour of their own are one series. */
export function barsOf(
  { split, points, times }: Pick<UsageData, 'split' | 'points' | 'times'>,
  rows: UsageRow[],
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
    bar[series] = Number(bar[series] ?? 0) + countOf(split, point)
  }
  return [...bars.values()]
}
