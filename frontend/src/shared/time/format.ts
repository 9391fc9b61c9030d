import { locale } from '@/shared/i18n'

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
]

/** "3 minutes ago", "yesterday", "in 2 hours"; under a minute: "now". Both are in milliseconds. */
export function formatRelative(time: number, now: number): string {
  const seconds = (time - now) / 1000
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' })
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit)
  }
  return format.format(0, 'second')
}

/** The exact local time, with the name of the time zone. */
export function formatDateTime(time: string | number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'long' }).format(new Date(time))
}

/** The local day and minute of a time that is near, which needs no year. */
export function formatMinute(time: string | number): string {
  return new Intl.DateTimeFormat(locale(), {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(time))
}

export function formatDate(time: string | number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(new Date(time))
}

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
