import type { ConversationFilter, TurnSource } from '@/gql/graphql'

/** The filters as the address holds them; the days are the reader's, as YYYY-MM-DD, both included. */
export type Filters = { search?: string; source?: TurnSource; from?: string; to?: string }

/** Whether the range ends before it begins. */
export function isBackward({ from, to }: Filters): boolean {
  return from !== undefined && to !== undefined && to < from
}

/** The filters as the service takes them: from the first moment of the first day to the first one after the last day. */
export function toFilter({ search, source, from, to }: Filters): ConversationFilter {
  return {
    search: search || undefined,
    source,
    from: from === undefined ? undefined : startOf(from, 0),
    to: to === undefined ? undefined : startOf(to, 1),
  }
}

/** The moment at which a day begins where the reader is, or the day so many days later. Not every day has 24 hours. */
function startOf(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const start = new Date(2000, month - 1, date + later)
  // The constructor takes the years 0 to 99 for those of the last century.
  start.setFullYear(year, month - 1, date + later)
  return start.toISOString()
}
