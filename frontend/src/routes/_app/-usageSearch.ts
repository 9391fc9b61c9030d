import * as z from 'zod/mini'
import { day, source, uuid } from './-search'

/** What the usage pages keep in the address. */
export const usageSearch = {
  // 30 days without it.
  range: z.optional(z.catch(z.optional(z.enum(['24h', '7d', '30d', '90d', 'own'])), undefined)),
  // The first and last local day of an own range, both inclusive.
  from: day,
  to: day,
  // By agent without it; on the page of one agent, by export.
  split: z.optional(z.catch(z.optional(z.enum(['agent', 'export', 'model', 'user', 'status'])), undefined)),
  agent: uuid,
  export: uuid,
  source,
}
