import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useNow } from '@/shared/time'
import { rangeOf } from '@/shared/ui'
import { type Filters, toFilter } from './queries'

/** The log's filters and the open request, as the address has them. On the page of one agent, that agent is fixed. */
export function useRequestSearch() {
  const { search, outcome, code, agentId, exportId, userId, time, from, to, id } = useSearch({ strict: false })
  const { id: ofAgent } = useParams({ strict: false })
  const navigate = useNavigate()
  const now = useNow()
  const filters: Filters = { search, outcome, code, agentId: ofAgent ?? agentId, exportId, userId, time, from, to }
  const days = rangeOf(filters, now)
  return {
    filters,
    /** As the service takes them. */
    filter: toFilter(filters, days ?? {}),
    /** Undefined if the last one is before the first: nothing is asked for then. */
    days,
    /** The open request. */
    id,
    ofAgent,
    /** Changes filters, as a history entry of its own unless it replaces the last one. What is open stays open. */
    change: (part: Filters, replace?: boolean) =>
      void navigate({ to: '.', search: (old) => ({ ...old, ...part }), replace, resetScroll: false }),
    clear: () => void navigate({ to: '.', search: (old) => ({ id: old.id }), resetScroll: false }),
    /** Opens another request in the place of the open one, or none. */
    open: (next: string | undefined) =>
      void navigate({ to: '.', search: (old) => ({ ...old, id: next }), replace: true, resetScroll: false }),
  }
}
