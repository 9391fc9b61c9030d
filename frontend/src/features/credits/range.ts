/** From the first moment to the first moment after, as RFC 3339. */
export type UsageRange = { from: string; to: string }

export const dayMs = 24 * 3600_000
const hourMs = 3600_000

/** The reader's IANA time zone; undefined, which the service takes for UTC, when the browser does not know it. */
export function timeZone(): string | undefined {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone && zone !== 'Etc/Unknown' ? zone : undefined
}

/** The first moment of the day that lies `offset` days from the one of `time`, in the reader's zone: days have 23 to 25 hours. */
function startOfDay(time: number | Date, offset = 0): Date {
  const day = new Date(time)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + offset)
}

/** The last `days` days with the present one, whole. */
export function lastDays(days: number, now: number): UsageRange {
  return { from: startOfDay(now, 1 - days).toISOString(), to: startOfDay(now, 1).toISOString() }
}

/** The 7 times 24 hours before now, to the hour, so that the same question is not asked anew with every minute. */
export function lastWeek(now: number): UsageRange {
  const to = Math.ceil(now / hourMs) * hourMs
  return { from: new Date(to - 7 * dayMs).toISOString(), to: new Date(to).toISOString() }
}

/** A moment's day in the reader's zone, as a date field has it: 2026-01-31. */
export function dateOf(time: number | string): string {
  const day = new Date(time)
  return [
    String(day.getFullYear()).padStart(4, '0'),
    String(day.getMonth() + 1).padStart(2, '0'),
    String(day.getDate()).padStart(2, '0'),
  ].join('-')
}

/** The first moment of a date in the reader's zone, `offset` days later; undefined for what is no date. */
export function startOfDate(date: string | undefined, offset = 0): string | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date ?? '')
  if (!parts) return undefined
  const day = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]))
  if (dateOf(day.getTime()) !== date) return undefined
  return startOfDay(day, offset).toISOString()
}
