import { formatNumber, isPoor } from '@/shared/format'
import { dateOf, useNow } from '@/shared/time'
import { AppLink } from '@/shared/ui'
import { keyOf, requestsOf } from '../chart/series'
import type { UsageData, UsageRow } from '../queries'
import { useUsageSearch } from '../useUsageSearch'

type Props = { data: UsageData; row: UsageRow }

/** The filters of the lists behind a row, which are filtered by whole days; undefined where they cannot be filtered like that. */
function useFilters({ data: { split, asked }, row }: Props) {
  const { search } = useUsageSearch()
  const now = useNow()
  const days = { from: dateOf(asked.from), to: dateOf(Math.min(Date.parse(asked.to) - 1, now)) }
  const by = {
    agent: row.agent && { agentId: row.agent.id, exportId: search.export },
    export: row.export && { exportId: row.export.id },
    user: row.userId != null && { userId: row.userId, agentId: search.agent, exportId: search.export },
    status: row.status && {
      code: row.status === 'answered' ? undefined : row.status,
      agentId: search.agent,
      exportId: search.export,
    },
    model: undefined,
  }[split]
  return by ? { ...by, ...days } : undefined
}

/** How many messages were answered, leading to their requests; of tests alone, to their conversations. */
export function Messages(props: Props) {
  const { data, row } = props
  const { search } = useUsageSearch()
  const filters = useFilters(props)
  const text = formatNumber(row.messages)
  const key = keyOf(data.split, row)
  const tests = data.split === 'export' && key === ' none'
  if (row.messages === 0 || row.rest || !(filters || tests)) return text
  const requests = data.requests.find((one) => keyOf(data.split, one) === key)?.messages ?? 0
  const source = search.source === 'TEST' ? 'TEST' : 'PLAYGROUND'
  if (filters && search.source !== source && requests > 0) {
    return (
      <AppLink to="/activity/requests" search={{ ...filters, outcome: 'ANSWERED' }} inherit>
        {text}
      </AppLink>
    )
  }
  const agent = row.agent?.id ?? search.agent
  const days = { from: dateOf(data.asked.from), to: dateOf(Date.parse(data.asked.to) - 1) }
  return (
    <AppLink to="/activity/conversations" search={{ agent, source, ...days }} inherit>
      {text}
    </AppLink>
  )
}

/** The requests of a result, linked to their list. */
export function Requests(props: Props) {
  const { row } = props
  const filters = useFilters(props)
  if (row.status === 'answered') return <Messages {...props} />
  const text = formatNumber(requestsOf(row))
  if (!filters) return text
  return (
    <AppLink to="/activity/requests" search={filters} inherit>
      {text}
    </AppLink>
  )
}

/** How many requests failed or were refused, leading to them. What failed is red where too many did. */
export function Failures({ outcome, ...props }: Props & { outcome: 'FAILED' | 'REFUSED' }) {
  const filters = useFilters(props)
  const { row } = props
  const count = outcome === 'FAILED' ? row.failed : row.refused
  const text = formatNumber(count)
  if (count === 0 || !filters) return text
  return (
    <AppLink
      to="/activity/requests"
      search={{ ...filters, outcome }}
      inherit
      c={outcome === 'FAILED' && isPoor(row) ? 'var(--bad)' : undefined}
    >
      {text}
    </AppLink>
  )
}
