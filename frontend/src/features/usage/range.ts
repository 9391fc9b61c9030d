import { lastDays, startOfDate } from '@/features/credits'

export const ranges = ['24h', '7d', '30d', '90d', 'own'] as const
export const splits = ['agent', 'export', 'model', 'user', 'status'] as const

/** The page's choices as the URL has them. Days are local, as YYYY-MM-DD, both inclusive. */
export type UsageSearch = {
  range?: (typeof ranges)[number]
  from?: string
  to?: string
  split?: (typeof splits)[number]
  agent?: string
  export?: string
  source?: 'API' | 'PLAYGROUND'
}

export type Times = { from: string; to: string; before: string; interval: 'HOUR' | 'DAY' | 'MONTH' }

const hourMs = 3600_000
const days = { '7d': 7, '30d': 30, '90d': 90 }
/** The service has no more than 1,000 rows: longer ranges are cut into months. */
const mostDays = 120

/** The range to ask for, the beginning of the one before it, and how both are cut; undefined while an own range is not whole. */
export function timesOf({ range = '30d', from, to }: UsageSearch, now: number): Times | undefined {
  if (range === '24h') {
    const end = Math.ceil(now / hourMs) * hourMs
    return cut(new Date(end - 24 * hourMs).toISOString(), new Date(end).toISOString())
  }
  if (range !== 'own') {
    const last = lastDays(days[range], now)
    return cut(last.from, last.to)
  }
  const start = startOfDate(from)
  const end = startOfDate(to, 1)
  return start && end && start < end ? cut(start, end) : undefined
}

function cut(from: string, to: string): Times {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  const length = end - start
  const interval = length <= 24 * hourMs ? 'HOUR' : length <= mostDays * 24 * hourMs ? 'DAY' : 'MONTH'
  return { from, to, before: new Date(start - length).toISOString(), interval }
}
