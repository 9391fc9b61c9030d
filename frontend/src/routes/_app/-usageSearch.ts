import * as z from 'zod/mini'
import { day, uuid } from './-search'

/** The period of usage and credits: this month without it. */
export const period = {
  range: z.optional(z.catch(z.optional(z.enum(['last', 'own'])), undefined)),
  // The first and last local day of a range of one's own, both inclusive.
  from: day,
  to: day,
  agent: uuid,
  export: uuid,
}
