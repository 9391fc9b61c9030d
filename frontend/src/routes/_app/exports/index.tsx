import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ExportsPage } from '@/features/exports'
import { text, uuid } from '../-search'

export const Route = createFileRoute('/_app/exports/')({
  validateSearch: z.object({
    // Part of the name or of a key's hint.
    search: text,
    agent: uuid,
    // None: those in use.
    state: z.optional(z.catch(z.optional(z.enum(['ACTIVE', 'PAUSED', 'EXPIRED', 'REMOVED'])), undefined)),
  }),
  component: ExportsPage,
})
