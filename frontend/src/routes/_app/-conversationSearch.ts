import * as z from 'zod/mini'

const text = z.optional(z.catch(z.optional(z.coerce.string()), undefined))
const day = z.optional(z.catch(z.optional(z.iso.date()), undefined))

/** The filters of a list of conversations in the URL. What makes no sense is left out. */
export const conversationSearch = {
  search: text,
  text,
  userId: text,
  source: z.optional(z.catch(z.optional(z.enum(['API', 'PLAYGROUND'])), undefined)),
  failed: z.optional(z.catch(z.optional(z.boolean()), undefined)),
  // The first and last local day of the latest turn, both inclusive.
  from: day,
  to: day,
}
