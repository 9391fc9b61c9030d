import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AgentPage } from '@/features/agents'

export const Route = createFileRoute('/_app/agents/$id/')({
  validateSearch: z.object({
    // Which node's drawer is open.
    node: z.optional(z.catch(z.optional(z.enum(['channels', 'agent', 'model'])), undefined)),
  }),
  component: AgentPage,
})
