import type { ConversationFilter, RatingValue, TurnSource } from '@/gql/graphql'
import type { RangeSearch } from '@/shared/ui'

/** The filters in the URL. */
export type Filters = RangeSearch & {
  /** Part of the session ID. */
  search?: string
  /** Part of a message or a reply. */
  text?: string
  /** The exact user_id. */
  userId?: string
  source?: TurnSource
  failed?: boolean
  rating?: RatingValue
  agent?: string
}

/** Returns the filters in the API's form, with the times from `rangeOf`. */
export const toFilter = (
  { search, text, userId, source, failed, rating, agent }: Filters,
  { from, to }: { from?: string; to?: string },
): ConversationFilter => ({
  search: search || undefined,
  text: text || undefined,
  userId: userId || undefined,
  source,
  failed: failed || undefined,
  rating,
  agentId: agent,
  from,
  to,
})
