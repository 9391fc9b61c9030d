import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ConversationsPage } from '@/features/conversations'

const day = z.optional(z.catch(z.optional(z.iso.date()), undefined))

export const Route = createFileRoute('/_app/agents/$id/conversations')({
  validateSearch: z.object({
    // A part of the label.
    search: z.optional(z.catch(z.optional(z.coerce.string()), undefined)),
    source: z.optional(z.catch(z.optional(z.enum(['API', 'PLAYGROUND'])), undefined)),
    // The first and the last day of the latest turn, as the reader's calendar has them.
    from: day,
    to: day,
  }),
  component: ConversationsPage,
})
