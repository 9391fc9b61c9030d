import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import type { Outlook } from './useOutlook'

const year = 365

/** How long the available credits last, in words. Undefined if not known. */
export function useLasts(outlook: Outlook | undefined): string | undefined {
  const { t } = useTranslation('credits')
  if (outlook?.spent === undefined || outlook.state === 'none') return undefined
  if (outlook.days === undefined) return t('lastsUnused')
  if (outlook.days < 1) return t('lastsLessThanDay')
  if (outlook.days > year) return t('lastsYear')
  const days = Math.floor(outlook.days)
  return t('lasts', { count: days, days: formatNumber(days) })
}
