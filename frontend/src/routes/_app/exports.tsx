import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ExportsPage } from '@/features/exports'

export const Route = createFileRoute('/_app/exports')({
  validateSearch: z.object({
    state: z.optional(z.catch(z.optional(z.enum(['ACTIVE', 'PAUSED', 'EXPIRED', 'REMOVED'])), undefined)),
  }),
  component: ExportsPage,
})
