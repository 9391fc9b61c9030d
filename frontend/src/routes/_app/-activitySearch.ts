import * as z from 'zod/mini'
import { moment, source, text, timeRange, uuid } from './-search'

/** What each view keeps for the others, whether or not it filters by it. */
const kept = {
  // Part of a message or a reply.
  text,
  // The exact user_id.
  userId: text,
  source,
  failed: z.optional(z.catch(z.optional(z.boolean()), undefined)),
  rating: z.optional(z.catch(z.optional(z.enum(['UP', 'DOWN'])), undefined)),
  exportId: uuid,
  code: text,
  outcome: z.optional(z.catch(z.optional(z.enum(['ANSWERED', 'FAILED', 'REFUSED'])), undefined)),
  blocked: z.optional(z.catch(z.optional(z.literal(true)), undefined)),
  ...timeRange,
}

/** The filters of a list of conversations; `search` is part of the session ID. */
export const conversationSearch = z.object({ ...kept, search: text, agent: uuid })

/** The filters of the log, and the request that is open. */
export const requestSearch = z.object({
  ...kept,
  search: text,
  agentId: uuid,
  // The part of that time that is chosen on the strip.
  since: moment,
  until: moment,
  id: text,
})

/** The filters of the list of people; `search` is part of the user_id. */
export const peopleSearch = z.object({
  ...kept,
  search: text,
  agent: uuid,
  // By user_id; without it, the latest first.
  order: z.optional(z.catch(z.optional(z.literal('USER_ID')), undefined)),
})
