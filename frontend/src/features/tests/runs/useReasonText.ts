import { useTranslation } from 'react-i18next'
import { type CheckType, checkTypes, expectedBy } from '../document'
import type { Outcome } from './queries'
import type { Reason } from './reasons'

const isKnown = (type: string): type is CheckType => checkTypes.some((known) => known === type)

/** Why an attempt of a case did not pass, in words. An erased case names only the check. */
export function useReasonText() {
  const { t } = useTranslation('tests')
  return (reason: Reason, tested: Outcome['case']) => {
    if ('code' in reason) return reason.code
    const { check, type, judged } = reason
    const name = isKnown(type) ? t(`types.${type}`) : type
    const { not, value } = tested ? expectedBy(tested.document, check) : { not: false, value: '' }
    const failed = t(not ? 'invertedCheckFailed' : 'checkFailed', { number: check + 1, type: name })
    const why = type === 'judge' ? (judged ?? t('textDeleted')) : value
    return why === '' ? failed : `${failed}: ${why}`
  }
}
