import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { EndUsersPage } from '@/features/endusers'
import { text } from '../../-search'

export const Route = createFileRoute('/_app/agents/$id/end-users')({
  validateSearch: z.object({
    // Part of the user_id.
    search: text,
  }),
  component: EndUsersPage,
})
