import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { RequestsPage } from '@/features/requests'

const text = z.optional(z.catch(z.optional(z.string()), undefined))

export const Route = createFileRoute('/_app/requests')({
  validateSearch: z.object({
    search: text,
    code: text,
    outcome: z.optional(z.catch(z.optional(z.enum(['ANSWERED', 'FAILED', 'REFUSED'])), undefined)),
    /** The call whose side panel is open. */
    id: text,
  }),
  component: RequestsPage,
})
