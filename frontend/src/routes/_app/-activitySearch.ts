import * as z from 'zod/mini'
import { source, text, timeRange, uuid } from './-search'

/** The filters of a list of conversations. */
export const conversationSearch = z.object({
  search: text,
  text,
  // The exact user_id.
  userId: text,
  source,
  failed: z.optional(z.catch(z.optional(z.boolean()), undefined)),
  agent: uuid,
  ...timeRange,
})

/** The filters of the log, and the request that is open. */
export const requestSearch = z.object({
  search: text,
  code: text,
  outcome: z.optional(z.catch(z.optional(z.enum(['ANSWERED', 'FAILED', 'REFUSED'])), undefined)),
  agentId: uuid,
  exportId: uuid,
  // The exact user_id.
  userId: text,
  ...timeRange,
  id: text,
})

/** The filters of the list of people. */
export const peopleSearch = z.object({
  // Part of the user_id.
  search: text,
  agent: uuid,
  blocked: z.optional(z.catch(z.optional(z.literal(true)), undefined)),
  ...timeRange,
})
