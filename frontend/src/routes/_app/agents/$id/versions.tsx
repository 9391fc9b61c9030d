import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { VersionsPage } from '@/features/agents'
import { number } from '../../-search'

export const Route = createFileRoute('/_app/agents/$id/versions')({
  validateSearch: z.object({
    // Which version's content is shown, and what it is compared with: another version, or the draft.
    open: number,
    against: z.union([z.literal('draft'), number]),
  }),
  component: VersionsPage,
})
