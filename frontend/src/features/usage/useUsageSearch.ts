import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { UsageSearch } from './range'

export const noFilters = { agent: undefined, export: undefined, source: undefined }

/** The choices in the address. On the page of one agent, that agent is fixed, and its exports are compared. */
export function useUsageSearch() {
  const { range, from, to, split, agent, export: exported, source } = useSearch({ strict: false })
  const { id } = useParams({ strict: false })
  const navigate = useNavigate()
  const search: UsageSearch = {
    range,
    from,
    to,
    split: split ?? (id ? 'export' : undefined),
    agent: id ?? agent,
    export: exported,
    source,
  }
  const change = (part: UsageSearch) =>
    void navigate({ to: '.', search: (old) => ({ ...old, ...part }), resetScroll: false })
  return { search, change, ofAgent: id }
}
