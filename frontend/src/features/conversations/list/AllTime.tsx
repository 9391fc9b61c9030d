import { useTranslation } from 'react-i18next'
import { ButtonLink } from '@/shared/ui'

/** Leads from the last 7 days to all there is. */
export function AllTime() {
  const { t } = useTranslation('conversations')
  return (
    <ButtonLink to="." search={(old) => ({ ...old, time: 'all' as const })} variant="default">
      {t('allTime')}
    </ButtonLink>
  )
}
