import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AllConversationsPage } from '@/features/conversations'

const day = z.optional(z.catch(z.optional(z.iso.date()), undefined))
const uuid = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i))

export const Route = createFileRoute('/_app/conversations/')({
  validateSearch: z.object({
    // Part of the session ID.
    search: z.optional(z.catch(z.optional(z.coerce.string()), undefined)),
    // The exact user_id.
    userId: z.optional(z.catch(z.optional(z.coerce.string()), undefined)),
    agent: z.optional(z.catch(z.optional(uuid), undefined)),
    source: z.optional(z.catch(z.optional(z.enum(['API', 'PLAYGROUND'])), undefined)),
    // The first and last local day of the latest turn, both inclusive.
    from: day,
    to: day,
  }),
  component: AllConversationsPage,
})
