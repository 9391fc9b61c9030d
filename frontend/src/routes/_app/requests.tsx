import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { RequestsPage } from '@/features/requests'
import { text, timeRange, uuid } from './-search'

export const Route = createFileRoute('/_app/requests')({
  validateSearch: z.object({
    search: text,
    code: text,
    outcome: z.optional(z.catch(z.optional(z.enum(['ANSWERED', 'FAILED', 'REFUSED'])), undefined)),
    agentId: uuid,
    exportId: uuid,
    // The exact user_id.
    userId: text,
    ...timeRange,
    /** The request whose side panel is open. */
    id: text,
  }),
  component: RequestsPage,
})
