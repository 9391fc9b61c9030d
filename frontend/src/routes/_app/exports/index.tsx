import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { type ExportSort, ExportsPage } from '@/features/exports'
import { text, uuid } from '../-search'

// Named here, so that the router does not load the page for them.
const sorts = [
  'name',
  '-name',
  'today',
  '-today',
  'month',
  '-month',
  'used',
  '-used',
] as const satisfies readonly ExportSort[]

export const Route = createFileRoute('/_app/exports/')({
  validateSearch: z.object({
    // Part of the name or of a key's hint.
    search: text,
    agent: uuid,
    // None: those in use.
    state: z.optional(z.catch(z.optional(z.enum(['ACTIVE', 'PAUSED', 'EXPIRED', 'REMOVED'])), undefined)),
    // Those that have used most of a limit.
    near: z.optional(z.catch(z.optional(z.literal(true)), undefined)),
    // The column by which the list is sorted, with a minus when it falls; this month's credits without it.
    sort: z.optional(z.catch(z.optional(z.enum(sorts)), undefined)),
  }),
  component: ExportsPage,
})
