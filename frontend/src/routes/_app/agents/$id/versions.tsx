import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { VersionsPage } from '@/features/agents'
import { number } from '../../-search'

export const Route = createFileRoute('/_app/agents/$id/versions')({
  validateSearch: z.object({
    // Which version's content is shown, and whether it is compared with the draft.
    open: number,
    against: z.optional(z.catch(z.optional(z.enum(['draft'])), undefined)),
  }),
  component: VersionsPage,
})
