import { dateOf } from './format'

/** A half-open range of times, as RFC 3339. */
export type UsageRange = { from: string; to: string }

export const dayMs = 24 * 3600_000
const hourMs = 3600_000

/** The reader's IANA time zone. Undefined if the browser does not know it; the service then uses UTC. */
export function timeZone(): string | undefined {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone && zone !== 'Etc/Unknown' ? zone : undefined
}

/** The start of the local day `offset` days after that of `time`. Days have 23 to 25 hours. */
function startOfDay(time: number | Date, offset = 0): Date {
  const day = new Date(time)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + offset)
}

/** The last `days` whole days, including today. */
export function lastDays(days: number, now: number): UsageRange {
  return { from: startOfDay(now, 1 - days).toISOString(), to: startOfDay(now, 1).toISOString() }
}

/** The last 168 hours, rounded to the hour so that the query key stays the same for a while. */
export function lastWeek(now: number): UsageRange {
  const to = Math.ceil(now / hourMs) * hourMs
  return { from: new Date(to - 7 * dayMs).toISOString(), to: new Date(to).toISOString() }
}

/** The start of a local date, `offset` days later. Undefined if it is not a date. */
export function startOfDate(date: string | undefined, offset = 0): string | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date ?? '')
  if (!parts) return undefined
  const day = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]))
  if (dateOf(day.getTime()) !== date) return undefined
  return startOfDay(day, offset).toISOString()
}
