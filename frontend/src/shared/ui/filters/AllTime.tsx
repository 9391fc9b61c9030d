import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../pages/links'

const always = { time: 'all', from: undefined, to: undefined, since: undefined, until: undefined } as const

/** Leads from a period, or a part of it, to a list of all time. */
export function AllTime() {
  const { t } = useTranslation('lists')
  return (
    <ButtonLink to="." search={(old) => ({ ...old, ...always })} variant="default">
      {t('allTime')}
    </ButtonLink>
  )
}
