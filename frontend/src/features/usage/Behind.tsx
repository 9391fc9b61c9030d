import { formatNumber } from '@/shared/format'
import { dateOf, useNow } from '@/shared/time'
import { AppLink } from '@/shared/ui'
import type { UsageData, UsageRow } from './queries'
import { timesOf } from './range'
import { useUsageSearch } from './useUsageSearch'

type Props = { split: UsageData['split']; row: UsageRow }

/** The days of the range: lists are filtered by whole days. */
function useDays() {
  const times = timesOf(useUsageSearch().search, useNow())
  return times && { from: dateOf(times.from), to: dateOf(Date.parse(times.to) - 1) }
}

/** How many messages were answered, leading to their conversations or requests where lists can be filtered like that. */
export function Messages({ split, row }: Props) {
  const days = useDays()
  const { agent, source } = useUsageSearch().search
  const text = formatNumber(row.messages)
  if (row.messages === 0) return text
  if (split === 'agent' && row.agent) {
    return (
      <AppLink to="/conversations" search={{ agent: row.agent.id, source, ...days }} inherit>
        {text}
      </AppLink>
    )
  }
  if (split === 'user' && row.userId != null) {
    return (
      <AppLink to="/conversations" search={{ userId: row.userId, agent, source, ...days }} inherit>
        {text}
      </AppLink>
    )
  }
  if (split === 'export' && row.export) {
    return (
      <AppLink to="/requests" search={{ exportId: row.export.id, outcome: 'ANSWERED', ...days }} inherit>
        {text}
      </AppLink>
    )
  }
  return text
}

/** How many requests failed or were refused, leading to them. */
export function Failures({ split, row, outcome }: Props & { outcome: 'FAILED' | 'REFUSED' }) {
  const days = useDays()
  const { agent, export: exportId } = useUsageSearch().search
  const count = outcome === 'FAILED' ? row.failed : row.refused
  const text = formatNumber(count)
  const by = {
    agent: row.agent && { agentId: row.agent.id, exportId },
    export: row.export && { exportId: row.export.id },
    user: row.userId != null && { userId: row.userId, agentId: agent, exportId },
    status: row.status && { code: row.status, agentId: agent, exportId },
    model: undefined,
  }[split]
  if (count === 0 || !by) return text
  return (
    <AppLink
      to="/requests"
      search={{ ...by, outcome, ...days }}
      inherit
      c={outcome === 'FAILED' ? 'var(--bad)' : undefined}
    >
      {text}
    </AppLink>
  )
}
