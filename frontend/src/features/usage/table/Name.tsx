import { AppLink } from '@/shared/ui'
import type { UsageRow } from '../queries'
import type { Split } from '../useUsageSearch'

/** What a row stands for. Agents, exports and people lead to their pages. */
export function Name({ split, row, name }: { split: Split; row: UsageRow; name: string }) {
  if (split === 'agent' && row.agent) {
    return (
      <AppLink to="/agents/$id" params={{ id: row.agent.id }} inherit>
        {name}
      </AppLink>
    )
  }
  if (split === 'export' && row.export) {
    return (
      <AppLink to="/exports/$id" params={{ id: row.export.id }} inherit>
        {name}
      </AppLink>
    )
  }
  if (split === 'user' && row.userId != null) {
    return (
      <AppLink to="/activity/people/person" search={{ id: row.userId }} inherit>
        {name}
      </AppLink>
    )
  }
  return name
}
