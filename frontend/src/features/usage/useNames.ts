import { useTranslation } from 'react-i18next'
import { locale } from '@/shared/i18n'
import { formatDate } from '@/shared/time'
import { nameOf } from './chart/series'
import type { UsagePoint, UsageRow } from './queries'
import type { Times } from './range'
import type { Split } from './useUsageSearch'

/** The words for rows: a name, or what they are without one. */
export function useNames(split: Split) {
  const { t } = useTranslation('usage')
  return (row: UsageRow | UsagePoint): string => {
    if (row.rest) return t('others')
    const name = nameOf(split, row)
    if (name === undefined) return t(`none.${split}`)
    return split === 'status' && name === 'answered' ? t('answered') : name
  }
}

const formats = {
  HOUR: { hour: 'numeric', minute: '2-digit' },
  DAY: { day: 'numeric', month: 'short' },
  MONTH: { month: 'short', year: 'numeric' },
} as const

/** A month by its name, with the year where it is another one. */
export function monthText(start: string): string {
  const date = new Date(start)
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : 'numeric'
  return new Intl.DateTimeFormat(locale(), { month: 'long', year }).format(date)
}

/** A day of the year, which needs no year. */
export const dayText = (time: number) =>
  new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'long' }).format(new Date(time))

/** The days of a range, as far as they have begun. */
export function spanText({ from, to }: Pick<Times, 'from' | 'to'>, now: number): string {
  const [start, end] = [Date.parse(from), Date.parse(to) - 1]
  const format = new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'long', year: 'numeric' })
  return format.formatRange(start, Math.max(Math.min(end, now), start))
}

/** An interval as the axis has it, or in full. */
export function intervalText(interval: Times['interval'], start: string, full = false): string {
  const date = new Date(start)
  if (!full || interval === 'MONTH') return new Intl.DateTimeFormat(locale(), formats[interval]).format(date)
  if (interval === 'DAY') return formatDate(start)
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(date)
}
