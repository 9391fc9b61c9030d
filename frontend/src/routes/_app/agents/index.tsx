import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AgentsPage } from '@/features/agents'
import { text } from '../-search'

export const Route = createFileRoute('/_app/agents/')({
  validateSearch: z.object({
    search: text,
    state: z.optional(z.catch(z.optional(z.enum(['DRAFT', 'LIVE', 'OFFLINE'])), undefined)),
    // Whether the dialog for a new agent is open.
    create: z.optional(z.catch(z.optional(z.boolean()), undefined)),
  }),
  component: AgentsPage,
})
