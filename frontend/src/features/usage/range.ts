import { type Dates, dayMs, hourMs, type Span, startOfDate, startOfDay, startOfMonth } from '@/shared/time'
import { sortsOf } from '@/shared/ui'

export const ranges = ['month', 'last', 'own'] as const
export const splits = ['agent', 'export', 'model', 'user', 'status'] as const
export const measures = ['credits', 'messages', 'tokens', 'time'] as const

/** The columns by which the table can be sorted. */
export const sortColumns = ['name', 'credits', 'messages', 'tokens', 'failed', 'refused', 'median', 'p95'] as const
export type SortColumn = (typeof sortColumns)[number]
/** All orders that an address may name. */
export const usageSorts = sortsOf(sortColumns)

/** The period as the address has it: this month without a range. */
export type PeriodSearch = Dates & { range?: 'last' | 'own' }

/** Which period it is: days in the address are a range of one's own. */
export const chosen = ({ range, from, to }: PeriodSearch) => range ?? (from || to ? 'own' : 'month')

export type Times = Span & {
  interval: 'HOUR' | 'DAY' | 'MONTH'
  /** What the period is compared with. */
  before: Span
  /** The whole month before; only for this month, which has not ended. */
  whole?: Span
}

const hourlyDays = 2
/** The service has no more than 1,000 rows: longer ranges are cut into months. */
const mostDays = 120

/** The times to ask for; undefined while an own range is not whole. */
export function timesOf(search: PeriodSearch, now: number): Times | undefined {
  const range = chosen(search)
  if (range === 'own') {
    const { from, to } = search
    const [start, end] = [startOfDate(from), startOfDate(to, 1)]
    if (!start || !end || start >= end) return undefined
    const length = Date.parse(end) - Date.parse(start)
    return { ...cut(start, end), before: { from: iso(Date.parse(start) - length), to: start } }
  }
  if (range === 'last') {
    return { ...cut(startOfMonth(now, -1), startOfMonth(now)), before: monthOf(now, -2) }
  }
  const whole = monthOf(now, -1)
  // Until the end of today: what is to come is no usage.
  return { from: startOfMonth(now), to: startOfDay(now, 1), interval: 'DAY', before: untilNow(whole, now), whole }
}

/** As much of the month before as has passed of this one. To the hour, so that the query stays the same for a while. */
function untilNow(whole: Span, now: number): Span {
  const passed = Math.max(Math.ceil((now - Date.parse(startOfMonth(now))) / hourMs), 1) * hourMs
  return { from: whole.from, to: iso(Math.min(Date.parse(whole.from) + passed, Date.parse(whole.to))) }
}

/** The projected total of the month; undefined on its first day, which is too short for a projection. */
export function paceOf(sum: number, { from, whole }: Times, now: number): number | undefined {
  const start = Date.parse(from)
  const end = Date.parse(startOfMonth(start, 1))
  if (!whole || now - start < dayMs) return undefined
  return (sum * (end - start)) / (now - start)
}

function cut(from: string, to: string): Pick<Times, 'from' | 'to' | 'interval'> {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs
  return { from, to, interval: days <= hourlyDays ? 'HOUR' : days <= mostDays ? 'DAY' : 'MONTH' }
}

const iso = (time: number) => new Date(time).toISOString()

const monthOf = (time: number, offset: number): Span => ({
  from: startOfMonth(time, offset),
  to: startOfMonth(time, offset + 1),
})
