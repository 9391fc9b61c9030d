import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { VersionsPage } from '@/features/agents'
import { number } from '../../-search'

export const Route = createFileRoute('/_app/agents/$id/versions')({
  validateSearch: z.object({
    // The version that is shown, and the version or the draft that it is compared with.
    open: number,
    against: z.union([z.literal('draft'), number]),
  }),
  component: VersionsPage,
})
