import { useTranslation } from 'react-i18next'
import { type CheckType, checkTypes } from '../document'
import type { Reason } from './reasons'

const isKnown = (type: string): type is CheckType => checkTypes.some((known) => known === type)

/** Why an attempt did not pass, in words. */
export function useReasonText() {
  const { t } = useTranslation('tests')
  return (reason: Reason) => {
    if ('code' in reason) return reason.code
    const { check, type, judged } = reason
    const name = isKnown(type) ? t(`types.${type}`) : type
    const failed = t('checkFailed', { number: check + 1, type: name })
    if (type !== 'judge') return failed
    return `${failed}: ${judged ?? t('textDeleted')}`
  }
}
