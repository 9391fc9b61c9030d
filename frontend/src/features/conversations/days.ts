import type { ConversationFilter, TurnSource } from '@/gql/graphql'

/** The filters as the URL has them. Days are local, as YYYY-MM-DD, both inclusive. */
export type Filters = {
  /** Part of the session ID. */
  search?: string
  /** Part of a message or a reply. */
  text?: string
  /** The exact user_id. */
  userId?: string
  source?: TurnSource
  failed?: boolean
  from?: string
  to?: string
}

/** Whether the range ends before it begins. */
export function isBackward({ from, to }: Filters): boolean {
  return from !== undefined && to !== undefined && to < from
}

/** The filters as the service takes them: from the start of the first day to the end of the last. */
export function toFilter({ search, text, userId, source, failed, from, to }: Filters): ConversationFilter {
  return {
    search: search || undefined,
    text: text || undefined,
    userId: userId || undefined,
    source,
    failed: failed || undefined,
    from: from === undefined ? undefined : startOf(from, 0),
    to: to === undefined ? undefined : startOf(to, 1),
  }
}

/** The start of a local day, or of the day `later` days after it. Not every day has 24 hours. */
function startOf(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const start = new Date(2000, month - 1, date + later)
  // The Date constructor maps years 0 to 99 to 1900 to 1999.
  start.setFullYear(year, month - 1, date + later)
  return start.toISOString()
}
