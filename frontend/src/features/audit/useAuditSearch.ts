import { getRouteApi } from '@tanstack/react-router'
import type { AuditFilter } from '@/gql/graphql'
import { boundsOf, type Dates } from '@/shared/time'

type Search = Dates & { action?: string; actor?: string }

const route = getRouteApi('/_app/settings/audit')

const noFilters = { action: undefined, actor: undefined, from: undefined, to: undefined }

/** The trail's filters, as the address has them. */
export function useAuditSearch() {
  const search: Search = route.useSearch()
  const navigate = route.useNavigate()
  const { action, actor, from, to } = search
  const filter: AuditFilter = { action, actorId: actor, ...boundsOf(search) }
  const change = (part: Search) => void navigate({ search: (old) => ({ ...old, ...part }), resetScroll: false })
  return {
    search,
    /** As the service takes them. */
    filter,
    /** The number of filters besides the action. */
    others: [actor, from, to].filter(Boolean).length,
    change,
    clear: () => change(noFilters),
  }
}
