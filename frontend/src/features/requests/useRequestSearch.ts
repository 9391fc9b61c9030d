import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useNow } from '@/shared/time'
import { rangeOf } from '@/shared/ui'
import { type Filters, toAsked } from './queries'

/** The log's filters and the open request, as the address has them. On the page of one agent, that agent is fixed. */
export function useRequestSearch() {
  const { id, ...search } = useSearch({ strict: false })
  const { outcome, code, agentId, exportId, userId, time, from, to, since, until } = search
  const { id: ofAgent } = useParams({ strict: false })
  const navigate = useNavigate()
  const now = useNow()
  const filters: Filters = {
    search: search.search,
    outcome,
    code,
    agentId: ofAgent ?? agentId,
    exportId,
    userId,
    time,
    from,
    to,
    since,
    until,
  }
  const period = rangeOf(filters, now)
  const part = since && until && since < until ? { from: since, to: until } : undefined
  return {
    filters,
    /** The time that the strip shows. */
    period,
    /** The part of it that is chosen. */
    part,
    asked: toAsked(filters, part ?? period),
    /** The open request. */
    id,
    ofAgent,
    /** Changes filters, as a history entry of its own unless it replaces the last one. What is open stays open. */
    change: (next: Filters, replace?: boolean) =>
      void navigate({ to: '.', search: (old) => ({ ...old, ...next }), replace, resetScroll: false }),
    clear: () => void navigate({ to: '.', search: (old) => ({ id: old.id }), resetScroll: false }),
    /** Opens another request in the place of the open one, or none. */
    open: (next: string | undefined) =>
      void navigate({ to: '.', search: (old) => ({ ...old, id: next }), replace: true, resetScroll: false }),
  }
}
