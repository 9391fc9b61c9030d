import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { RangeSearch } from '@/shared/ui'

type Filters = RangeSearch & { search?: string; agent?: string; blocked?: true; order?: 'USER_ID' }

/** The filters of the list, as the address has them. On the page of one agent, that agent is fixed. */
export function usePeopleSearch() {
  const { search, agent, blocked, order, time, from, to } = useSearch({ strict: false })
  const { id: ofAgent } = useParams({ strict: false })
  const navigate = useNavigate()
  const filters: Filters = { search, agent: ofAgent ?? agent, blocked: blocked || undefined, order, time, from, to }
  return {
    filters,
    ofAgent,
    /** How many are set, without the search and an agent that is fixed. */
    count: [ofAgent ? undefined : agent, blocked, time ?? from ?? to].filter(Boolean).length,
    change: (part: Filters, replace?: boolean) =>
      void navigate({ to: '.', search: (old) => ({ ...old, ...part }), replace, resetScroll: false }),
    clear: () => void navigate({ to: '.', search: { order }, resetScroll: false }),
  }
}
