import { useTranslation } from 'react-i18next'
import {
  formatDate,
  formatHour,
  formatMoment,
  formatMonth,
  formatShortDay,
  formatShortMonth,
  formatSpan,
  formatYearlessMonth,
  serverNow,
} from '@/shared/time'
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

/** A month by its name, with the year where it is another one. */
export function monthText(start: string): string {
  const isThisYear = new Date(start).getFullYear() === new Date(serverNow()).getFullYear()
  return (isThisYear ? formatYearlessMonth : formatMonth)(start)
}

/** The days of a range, as far as they have begun. */
export function spanText({ from, to }: Pick<Times, 'from' | 'to'>, now: number): string {
  const [start, end] = [Date.parse(from), Date.parse(to) - 1]
  return formatSpan(start, Math.max(Math.min(end, now), start))
}

const short = { HOUR: formatHour, DAY: formatShortDay, MONTH: formatShortMonth }
const full = { HOUR: formatMoment, DAY: formatDate, MONTH: formatShortMonth }

/** An interval as the axis has it, or in full. */
export const intervalText = (interval: Times['interval'], start: string, inFull = false) =>
  (inFull ? full : short)[interval](start)
