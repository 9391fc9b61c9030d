import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { PeoplePage } from '@/features/people'
import { text, uuid } from '../-search'

export const Route = createFileRoute('/_app/people/')({
  validateSearch: z.object({
    // Part of the user_id.
    search: text,
    agent: uuid,
    blocked: z.optional(z.catch(z.optional(z.literal(true)), undefined)),
  }),
  component: PeoplePage,
})
