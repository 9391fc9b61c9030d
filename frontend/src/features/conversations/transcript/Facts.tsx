import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { formatMoment } from '@/shared/time'
import { AppLink } from '@/shared/ui'
import { type Conversation, messagesTodayQuery, type Turn } from '../queries'
import { UserLink } from '../UserLink'
import classes from './Reader.module.css'

type Props = { conversation: Conversation; turns: Turn[] }

/** What a conversation is: whose, with which agent, through which export, how long. */
export function Facts({ conversation, turns }: Props) {
  const { t } = useTranslation('conversations')
  const { userId, sessionId, agent, turnCount, failedTurns, createdAt, continuesFrom } = conversation
  const exported = turns.findLast((turn) => turn.export)?.export
  const count = formatNumber(turnCount)
  return (
    <div className={classes.facts}>
      <dl className="panel-facts panel-numbers">
        {userId != null && (
          <>
            <Fact name={t('endUser')}>
              <UserLink id={userId} />
            </Fact>
            <MessagesToday userId={userId} />
          </>
        )}
        <Fact name={t('agent')}>
          <AppLink to="/agents/$id" params={{ id: agent.id }} inherit className="panel-user-text">
            {agent.name}
          </AppLink>
        </Fact>
        {exported && (
          <Fact name={t('facts.export')}>
            <AppLink to="/exports/$id" params={{ id: exported.id }} inherit className="panel-user-text">
              {exported.name}
            </AppLink>
          </Fact>
        )}
        <Fact name={t('label')}>
          <span translate="no" className="panel-user-text">
            {sessionId}
          </span>
        </Fact>
        <Fact name={t('turns')}>
          {failedTurns > 0 ? t('facts.failed', { turns: count, count: failedTurns }) : count}
        </Fact>
        <Fact name={t('facts.started')}>{formatMoment(createdAt)}</Fact>
      </dl>
      {continuesFrom && (
        <AppLink
          to="/activity/conversations/$id"
          params={{ id: continuesFrom.conversationId }}
          search={{ turn: continuesFrom.number }}
          inherit
        >
          {t('continuesFrom', { number: formatNumber(continuesFrom.number) })}
        </AppLink>
      )}
    </div>
  )
}

function MessagesToday({ userId }: { userId: string }) {
  const { t } = useTranslation('conversations')
  const user = useQuery(messagesTodayQuery(userId)).data?.viewer.endUser
  if (!user) return null
  const { dailyMessageLimit, nearestExportLimit } = user
  const { messagesToday } = dailyMessageLimit == null ? (nearestExportLimit ?? user) : user
  const used = formatNumber(messagesToday)
  const limit = dailyMessageLimit ?? nearestExportLimit?.dailyMessageLimit
  return (
    <Fact name={t('facts.limit')}>
      {limit === undefined ? used : t('facts.ofLimit', { used, limit: formatNumber(limit) })}
    </Fact>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
