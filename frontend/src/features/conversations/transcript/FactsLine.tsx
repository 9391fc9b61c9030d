import { IconAlertCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
import { AppLink, Credits } from '@/shared/ui'
import classes from '../Conversations.module.css'
import type { Conversation } from '../queries'

/** What a conversation is, in one line: its agent, end user, source, turns and credits, and when it was last used. */
export function FactsLine({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  const { agent, userId, source, turnCount, failedTurns, credits, lastTurnAt, continuesFrom } = conversation
  return (
    <span className={`${classes.line} panel-numbers`}>
      <AppLink to="/agents/$id" params={{ id: agent.id }} inherit className="panel-user-text">
        {agent.name}
      </AppLink>
      {userId != null && (
        <span>
          {t('endUser')}{' '}
          <AppLink
            to="/activity/people/person"
            search={{ id: userId }}
            inherit
            translate="no"
            className="panel-user-text"
          >
            {userId}
          </AppLink>
        </span>
      )}
      <span>{t(`sources.${source}`)}</span>
      {continuesFrom && (
        <AppLink to="/activity/conversations/$id" params={{ id: continuesFrom.conversationId }} inherit>
          {t('continuesFrom', { number: formatNumber(continuesFrom.number) })}
        </AppLink>
      )}
      <span>{t('turnCount', { count: turnCount, turns: formatNumber(turnCount) })}</span>
      {failedTurns > 0 && (
        <span className={classes.failed}>
          <IconAlertCircle size={14} aria-hidden /> {t('failedTurns', { count: failedTurns })}
        </span>
      )}
      <Credits value={credits} />
      <span>
        {t('latest')} <RelativeTime time={lastTurnAt} />
      </span>
    </span>
  )
}
