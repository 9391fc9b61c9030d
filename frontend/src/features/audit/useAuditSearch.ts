import { getRouteApi } from '@tanstack/react-router'
import type { AuditFilter } from '@/gql/graphql'
import { type Dates, isBackward, startOfDate } from '@/shared/time'

type Search = Dates & { action?: string; actor?: string }

const route = getRouteApi('/_app/settings/audit')

const noFilters = { action: undefined, actor: undefined, from: undefined, to: undefined }

/** The trail's filters, as the address has them. */
export function useAuditSearch() {
  const search: Search = route.useSearch()
  const navigate = route.useNavigate()
  const { action, actor, from, to } = search
  const filter: AuditFilter = { action, actorId: actor, from: startOfDate(from), to: startOfDate(to, 1) }
  const change = (part: Search) => void navigate({ search: (old) => ({ ...old, ...part }), resetScroll: false })
  return {
    search,
    /** As the service takes them; undefined if the last day is before the first: nothing is asked for then. */
    filter: isBackward(search) ? undefined : filter,
    /** The number of filters besides the action. */
    others: [actor, from, to].filter(Boolean).length,
    change,
    clear: () => change(noFilters),
  }
}
