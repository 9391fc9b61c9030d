import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatShare, successOf } from '@/shared/format'
import { AppLink, useWide } from '@/shared/ui'
import { figuresOf, figuresQuery } from '../list/figures'
import classes from './AgentHead.module.css'

/** The agent's messages of 24 hours, which lead to Activity; on wide screens, and only if there are any. */
export function DayUse({ agentId, live }: { agentId: string; live: boolean }) {
  const { t } = useTranslation('agents')
  const wide = useWide()
  const { data } = useQuery({ ...figuresQuery, enabled: wide }) // with the agent, whose state is not known yet
  const use = figuresOf(data, agentId)
  const success = use && successOf(use)
  if (!wide || !live || !use || success == null) return null
  const count = use.messages + use.failed
  return (
    <AppLink to="/agents/$id/activity/conversations" params={{ id: agentId }} className={classes.use}>
      {t('head.use', { count, messages: formatNumber(count), share: formatShare(success) })}
    </AppLink>
  )
}
