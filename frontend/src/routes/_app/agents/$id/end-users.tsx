import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { EndUsersPage } from '@/features/endusers'

export const Route = createFileRoute('/_app/agents/$id/end-users')({
  validateSearch: z.object({
    // Part of the user_id.
    search: z.optional(z.catch(z.optional(z.coerce.string()), undefined)),
  }),
  component: EndUsersPage,
})
