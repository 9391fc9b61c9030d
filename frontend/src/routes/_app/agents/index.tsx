import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AgentsPage, sorts } from '@/features/agents'
import { text } from '../-search'

export const Route = createFileRoute('/_app/agents/')({
  validateSearch: z.object({
    search: text,
    state: z.optional(z.catch(z.optional(z.enum(['DRAFT', 'LIVE', 'OFFLINE'])), undefined)),
    // The column by which the list is sorted, with a minus when it falls; the most messages first without it.
    sort: z.optional(z.catch(z.optional(z.enum(sorts)), undefined)),
    // Whether the dialog for a new agent is open.
    create: z.optional(z.catch(z.optional(z.boolean()), undefined)),
  }),
  component: AgentsPage,
})
