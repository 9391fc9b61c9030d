import { dateOf } from './format'

/** A half-open range of times, as RFC 3339. */
export type Span = { from: string; to: string }

/** Days of the reader, as YYYY-MM-DD, both inclusive; without a bound it is open there. */
export type Dates = { from?: string; to?: string }

export const hourMs = 3_600_000
/** 24 hours. Days of the calendar have 23 to 25. */
export const dayMs = 24 * hourMs

/** The reader's IANA time zone. Undefined if the browser does not know it; the service then uses UTC. */
export function timeZone(): string | undefined {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone && zone !== 'Etc/Unknown' ? zone : undefined
}

/** The start of the local day `offset` days after that of `time`. */
export function startOfDay(time: number | string, offset = 0): string {
  const day = new Date(time)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + offset).toISOString()
}

/** The start of the local month `offset` months after that of `time`. */
export function startOfMonth(time: number, offset = 0): string {
  const day = new Date(time)
  return new Date(day.getFullYear(), day.getMonth() + offset).toISOString()
}

/** The last `days` whole days, including today. */
export function lastDays(days: number, now: number): Span {
  return { from: startOfDay(now, 1 - days), to: startOfDay(now, 1) }
}

/** The last seven days, including today, as dates: what a range of one's own begins with. */
export function lastWeek(now: number): Required<Dates> {
  return { from: dateOf(startOfDay(now, -6)), to: dateOf(now) }
}

/** The start of a local date, `offset` days later. Undefined if it is not a date. */
export function startOfDate(date: string | undefined, offset = 0): string | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date ?? '')
  if (!parts) return undefined
  const day = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])).getTime()
  return dateOf(day) === date ? startOfDay(day, offset) : undefined
}

/** Whether the range ends before it starts. */
export function isBackward({ from, to }: Dates): boolean {
  return from !== undefined && to !== undefined && to < from
}

/** The start and end times of local days. A missing bound, or an end before the start, is left open. */
export function boundsOf({ from, to }: Dates): Partial<Span> {
  return { from: startOfDate(from), to: isBackward({ from, to }) ? undefined : startOfDate(to, 1) }
}
