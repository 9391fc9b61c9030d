import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { graphql } from '@/gql'
import { formatNumber, formatShare, successOf } from '@/shared/format'
import { followSlowly, gql } from '@/shared/gql'
import { dayMs, hourMs, serverNow } from '@/shared/time'
import { AppLink, useWide } from '@/shared/ui'
import classes from './AgentHead.module.css'

const AgentDayDocument = graphql(`
  query AgentDay($agentId: ID!, $from: DateTime!, $to: DateTime!) {
    viewer {
      id
      usage(filter: { agentId: $agentId, from: $from, to: $to }, groupBy: []) {
        messages
        failed
      }
    }
  }
`)

const dayQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agentFigures', agentId],
    queryFn: ({ signal }) => {
      const now = serverNow()
      const [from, to] = [now - dayMs, now + hourMs].map((time) => new Date(time).toISOString()) as [string, string]
      return gql(AgentDayDocument, { agentId, from, to }, { signal })
    },
    refetchInterval: followSlowly,
  })

/** The agent's messages of 24 hours, which lead to Activity; on wide screens, and only if there are any. */
export function DayUse({ agentId }: { agentId: string }) {
  const { t } = useTranslation('agents')
  const wide = useWide()
  const [use] = useQuery({ ...dayQuery(agentId), enabled: wide }).data?.viewer.usage ?? []
  const success = use && successOf(use)
  if (!wide || !use || success == null) return null
  return (
    <AppLink to="/agents/$id/activity/conversations" params={{ id: agentId }} className={classes.use}>
      {t('head.use', { count: use.messages, messages: formatNumber(use.messages), share: formatShare(success) })}
    </AppLink>
  )
}
