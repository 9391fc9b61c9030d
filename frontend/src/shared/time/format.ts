import { digits, isOf24Hours, locale } from '@/shared/format'
import { i18n } from '@/shared/i18n'

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
]

/**
 * "3 minutes ago", in the short style "3 min. ago", "yesterday", "in 2 hours"; under a minute: "now". Both are in milliseconds. These
 * are words, which stand among the panel's words and are in its language.
 */
export function formatRelative(time: number, now: number, style?: Intl.RelativeTimeFormatStyle): string {
  const seconds = (time - now) / 1000
  const format = new Intl.RelativeTimeFormat(`${i18n.language}-u-nu-${digits()}`, { numeric: 'auto', style })
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit)
  }
  return format.format(0, 'second')
}

const form = (options: Intl.DateTimeFormatOptions) => (time: string | number) =>
  new Intl.DateTimeFormat(locale(), {
    ...options,
    // "9:05" looks like an afternoon's time where hours count to 23.
    ...(options.hour && isOf24Hours() && { hour: '2-digit' as const }),
  }).format(new Date(time))

/** The exact local time, with the name of the time zone. */
export const formatDateTime = form({ dateStyle: 'medium', timeStyle: 'long' })

/** The local day and minute, with the year. */
export const formatMoment = form({ dateStyle: 'medium', timeStyle: 'short' })

/** The local day and second, with the year. */
export const formatExact = form({ dateStyle: 'medium', timeStyle: 'medium' })

/** The local day and minute of a time that is near, which needs no year. */
export const formatMinute = form({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })

/** The local day and second of a time that is near, as beside a program's log. */
export const formatSecond = form({
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
})

export const formatDate = form({ dateStyle: 'medium' })

/** The local time of day to the second. */
export const formatClock = form({ timeStyle: 'medium' })

/** The local time of day to the minute. */
export const formatHour = form({ hour: 'numeric', minute: '2-digit' })

/** The local day. */
export const formatDay = form({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })

/** A short day of this year. */
export const formatShortDay = form({ day: 'numeric', month: 'short' })

/** A month, short and in full, and the name alone of one of this year. */
export const formatShortMonth = form({ month: 'short', year: 'numeric' })
export const formatMonth = form({ month: 'long', year: 'numeric' })
export const formatYearlessMonth = form({ month: 'long' })

/** The local days from one time to another, both in milliseconds. */
export const formatSpan = (from: number, to: number) =>
  new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'long', year: 'numeric' }).formatRange(from, to)

/** A range of a log, by hours or by whole days. */
export const formatDateRange = ({ from, to }: { from: string; to: string }, hourly: boolean) =>
  new Intl.DateTimeFormat(locale(), {
    month: 'short',
    day: 'numeric',
    ...(hourly && { hour: 'numeric', minute: '2-digit' }),
  }).formatRange(Date.parse(from), Date.parse(to) - (hourly ? 0 : 1))

/** The local day of a time, as in a date field: 2026-01-31. */
export function dateOf(time: number | string): string {
  const day = new Date(time)
  return [
    String(day.getFullYear()).padStart(4, '0'),
    String(day.getMonth() + 1).padStart(2, '0'),
    String(day.getDate()).padStart(2, '0'),
  ].join('-')
}

/** A moment as an input of dates and times has it: in the local time zone, to the minute. */
export const toLocal = (moment: string | null | undefined) => {
  if (!moment) return ''
  const date = new Date(moment)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
