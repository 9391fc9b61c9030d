import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { redirectToNext, SignUpPage } from '@/features/auth'
import { session } from '@/shared/gql'

export const Route = createFileRoute('/signup')({
  validateSearch: z.object({ next: z.optional(z.catch(z.string(), '')) }),
  beforeLoad: async ({ search }) => {
    // If the service cannot be reached, the form is shown.
    if (await session.isSignedIn().catch(() => false)) throw redirectToNext(search.next)
  },
  component: SignUpPage,
})
