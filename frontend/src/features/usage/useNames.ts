import { useTranslation } from 'react-i18next'
import { locale } from '@/shared/i18n'
import { formatDate } from '@/shared/time'
import type { UsageData, UsagePoint, UsageRow } from './queries'
import { nameOf } from './series'

/** The words for rows: a name, or what they are without one. */
export function useNames(split: UsageData['split']) {
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

/** An interval as the axis has it, or in full. */
export function intervalText(interval: UsageData['interval'], start: string, full = false): string {
  const date = new Date(start)
  if (!full || interval === 'MONTH') return new Intl.DateTimeFormat(locale(), formats[interval]).format(date)
  if (interval === 'DAY') return formatDate(start)
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(date)
}
