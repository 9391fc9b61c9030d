import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { LoginPage, redirectToNext } from '@/features/auth'
import { session } from '@/shared/gql'

export const Route = createFileRoute('/login')({
  validateSearch: z.object({
    next: z.optional(z.catch(z.string(), '')),
    // Why the reader was signed out.
    reason: z.optional(z.catch(z.optional(z.enum(['expired', 'elsewhere'])), undefined)),
  }),
  beforeLoad: async ({ search, location }) => {
    // If the service cannot be reached, the form is shown.
    if (await session.isSignedIn().catch(() => false)) throw redirectToNext(search.next, location.hash)
  },
  component: LoginPage,
})
