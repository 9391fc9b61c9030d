import { getRouteApi } from '@tanstack/react-router'

const route = getRouteApi('/_app/usage/')

export const noFilters = { agent: undefined, export: undefined, source: undefined }

/** The choices of the page as the address has them, with what they are without it. */
export function useUsageSearch() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { split = 'agent' } = search
  return {
    search,
    split,
    // What failed or was refused costs nothing: results are counted.
    show: search.show ?? (split === 'status' ? ('messages' as const) : ('credits' as const)),
    filtered: [search.agent, search.export, search.source].filter(Boolean).length,
    change: (part: typeof search) => void navigate({ search: (old) => ({ ...old, ...part }), resetScroll: false }),
  }
}

export type UsageSearch = ReturnType<typeof useUsageSearch>['search']
export type Split = ReturnType<typeof useUsageSearch>['split']
export type Measure = ReturnType<typeof useUsageSearch>['show']
