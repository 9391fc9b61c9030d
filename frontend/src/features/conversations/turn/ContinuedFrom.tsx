import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { hasCode } from '@/shared/gql'
import { AppLink } from '@/shared/ui'
import classes from './ModelSaw.module.css'
import { continuedQuery } from './queries'

/** Names the conversation that a test conversation continues, with a link back. */
export function ContinuedFrom({ turnId }: { turnId: string }) {
  const { t } = useTranslation('texts')
  const { data, error } = useQuery(continuedQuery(turnId))
  if (hasCode(error, 'NOT_FOUND', 'BAD_USER_INPUT')) {
    return (
      <p role="status" className={classes.notice}>
        {t('continued.gone')}
      </p>
    )
  }
  const turn = data?.node
  if (turn?.__typename !== 'Turn') return null
  return (
    <p role="status" className={`${classes.notice} panel-user-text`}>
      {t('continued.from', { number: formatNumber(turn.number) })}{' '}
      <AppLink to="/activity/conversations/$id" params={{ id: turn.conversation.id }} inherit underline="always">
        {turn.conversation.sessionId}
      </AppLink>
    </p>
  )
}
