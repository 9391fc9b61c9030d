import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ConversationsPage } from '@/features/conversations'

const day = z.optional(z.catch(z.optional(z.iso.date()), undefined))

export const Route = createFileRoute('/_app/agents/$id/conversations')({
  validateSearch: z.object({
    // Part of the session ID.
    search: z.optional(z.catch(z.optional(z.coerce.string()), undefined)),
    // The exact user_id.
    userId: z.optional(z.catch(z.optional(z.coerce.string()), undefined)),
    source: z.optional(z.catch(z.optional(z.enum(['API', 'PLAYGROUND'])), undefined)),
    // The first and last local day of the latest turn, both inclusive.
    from: day,
    to: day,
  }),
  component: ConversationsPage,
})
