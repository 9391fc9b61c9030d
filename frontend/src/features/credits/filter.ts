import type { CreditFilter, CreditKind } from '@/gql/graphql'
import { startOfDate } from './range'

/** The kinds of an entry, in the order of the filter. */
export const creditKinds = ['CHARGE', 'GRANT', 'ADJUSTMENT'] as const satisfies CreditKind[]

/** The filters as the URL has them. Dates are whole local days, both inclusive. */
export type CreditSearch = {
  kind?: CreditKind
  agent?: string
  export?: string
  from?: string
  to?: string
  view?: 'table'
}

export function filterOf(search: CreditSearch): CreditFilter {
  return {
    kind: search.kind,
    agentId: search.agent,
    exportId: search.export,
    from: startOfDate(search.from),
    to: startOfDate(search.to, 1),
  }
}

export function isFiltered({ view: _, ...search }: CreditSearch): boolean {
  return Object.values(search).some((value) => value !== undefined)
}
