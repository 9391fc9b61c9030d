import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { RequestsPage } from '@/features/requests'

const uuid = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i))
const text = z.optional(z.catch(z.optional(z.string()), undefined))

export const Route = createFileRoute('/_app/requests')({
  validateSearch: z.object({
    search: text,
    code: text,
    outcome: z.optional(z.catch(z.optional(z.enum(['ANSWERED', 'FAILED', 'REFUSED'])), undefined)),
    agentId: z.optional(z.catch(z.optional(uuid), undefined)),
    /** The call whose side panel is open. */
    id: text,
  }),
  component: RequestsPage,
})
