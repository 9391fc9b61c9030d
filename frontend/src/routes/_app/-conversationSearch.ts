import * as z from 'zod/mini'
import { day, source, text } from './-search'

/** The filters of a list of conversations. */
export const conversationSearch = {
  search: text,
  text,
  userId: text,
  source,
  failed: z.optional(z.catch(z.optional(z.boolean()), undefined)),
  // The first and last local day of the latest turn, both inclusive.
  from: day,
  to: day,
}
