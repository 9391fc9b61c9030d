import { isOf24Hours, locale } from '@/shared/format'
import { startOfDate } from './days'

// Days and times as the reader types them: in the order of the reader's locale, with the digits of a keyboard.

const form = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale(), { calendar: 'gregory', numberingSystem: 'latn', ...options })
const dayForm = () => form({ year: 'numeric', month: '2-digit', day: '2-digit' })

/** A day, such as 2026-01-31, as the reader types it: 31/01/2026. */
export const typedDay = (day: string) => {
  const start = startOfDate(day)
  return start ? dayForm().format(new Date(start)) : ''
}

/** How the reader types a day: dd/mm/yyyy. */
export const dayPattern = () =>
  dayForm()
    .formatToParts()
    .map(({ type, value }) => ({ year: 'yyyy', month: 'mm', day: 'dd' })[type as string] ?? value)
    .join('')

/** The day of a typed text, in the reader's order or as 2026-01-31; undefined if it is none. */
export function dayOf(text: string): string | undefined {
  const numbers = /^\D{0,3}(\d{1,4})\D{1,3}(\d{1,2})\D{1,3}(\d{1,4})\D{0,3}$/.exec(text)?.slice(1)
  if (!numbers) return undefined
  const kinds = dayForm()
    .formatToParts()
    .map(({ type }) => type)
    .filter((type) => type !== 'literal')
  const order = numbers[0]?.length === 4 ? ['year', 'month', 'day'] : kinds
  const part = (kind: string) => numbers[order.indexOf(kind)]?.padStart(2, '0')
  const day = `${part('year')}-${part('month')}-${part('day')}`
  return startOfDate(day) ? day : undefined
}

/** A time of day, such as 09:05, as the reader writes it: with two digits, or 9:05 AM. */
export const typedTime = (time: string) =>
  form({ hour: isOf24Hours() ? '2-digit' : 'numeric', minute: '2-digit' }).format(new Date(`2026-01-01T${time}`))

/** The time of a typed text; undefined if it is none. */
export function timeOf(text: string): string | undefined {
  const [, typed, minute] = /^\D*(\d{1,2})\D{1,3}(\d\d)\D*$/.exec(text) ?? []
  if (!typed || Number(minute) > 59) return undefined
  const halves = [1, 13].map((hour) => [halfOf(hour, locale()), halfOf(hour, 'en')])
  const half = halves.findIndex((names) => names.some((name) => text.toLowerCase().includes(name)))
  const hour = half < 0 ? Number(typed) : (Number(typed) % 12) + 12 * half
  return hour > 23 || (half >= 0 && Number(typed) > 12) ? undefined : `${String(hour).padStart(2, '0')}:${minute}`
}

/** The name of the half of the day that an hour is in. */
const halfOf = (hour: number, language: string) =>
  new Intl.DateTimeFormat(language, { hour: 'numeric', hour12: true })
    .formatToParts(new Date(2026, 0, 1, hour))
    .find(({ type }) => type === 'dayPeriod')
    ?.value.toLowerCase() ?? (hour < 12 ? 'am' : 'pm')
