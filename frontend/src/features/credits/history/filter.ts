import type { PeriodSearch, Times } from '@/features/usage'
import type { CreditFilter, CreditKind } from '@/gql/graphql'

/** The kinds of an entry, in the order of the filter. */
export const creditKinds = ['CHARGE', 'GRANT', 'ADJUSTMENT'] as const satisfies CreditKind[]

/** The history's filters in the URL. */
export type CreditSearch = PeriodSearch & {
  kind?: CreditKind
  agent?: string
  export?: string
  /** The first day of the open row. */
  open?: string
}

export const noFilters = { kind: undefined, agent: undefined, export: undefined }

export const filtersOf = ({ kind, agent, export: exported }: CreditSearch) =>
  [kind, agent, exported].filter(Boolean).length

export const filterOf = (search: CreditSearch, { from, to }: Pick<Times, 'from' | 'to'>): CreditFilter => ({
  kind: search.kind,
  agentId: search.agent,
  exportId: search.export,
  from,
  to,
})
