import { getRouteApi } from '@tanstack/react-router'
import type { CreditSearch } from './filter'

const route = getRouteApi('/_app/usage/credits')

/** The history's choices in the address. Another choice closes the open row. */
export function useCreditSearch() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = (part: CreditSearch) => void navigate({ search: (old) => ({ ...old, ...part }), resetScroll: false })
  return {
    search,
    change: (part: CreditSearch) => go({ ...part, open: undefined }),
    open: (day: string | undefined) => go({ open: day }),
  }
}
