import * as z from 'zod/mini'

// Parts of searches in URLs. What makes no sense is left out.

export const text = z.optional(z.catch(z.optional(z.coerce.string()), undefined))

/** A local day. */
export const day = z.optional(z.catch(z.optional(z.iso.date()), undefined))

/** An ID. A pattern, because Zod's own would load all that it knows of formats. */
export const uuid = z.optional(
  z.catch(z.optional(z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i))), undefined),
)

/** A moment in UTC, as `toISOString` writes it. */
export const moment = z.optional(
  z.catch(z.optional(z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/))), undefined),
)

export const source = z.optional(z.catch(z.optional(z.enum(['API', 'PLAYGROUND', 'TEST'])), undefined))

/** The number of a version or a turn. */
export const number = z.optional(z.catch(z.optional(z.coerce.number().check(z.int(), z.minimum(1))), undefined))

/** The time range of a list: the last 7 days without any. */
export const timeRange = {
  time: z.optional(z.catch(z.optional(z.enum(['today', '7d', '30d', 'all', 'own'])), undefined)),
  // The first and last local day of a range of one's own, both inclusive.
  from: day,
  to: day,
}
