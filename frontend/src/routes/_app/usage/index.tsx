import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { UsagePage, usageSorts } from '@/features/usage'
import { source } from '../-search'
import { period } from '../-usageSearch'

export const Route = createFileRoute('/_app/usage/')({
  validateSearch: z.object({
    ...period,
    // By agent without it.
    split: z.optional(z.catch(z.optional(z.enum(['agent', 'export', 'model', 'user', 'status'])), undefined)),
    // What is shown of it: credits without it.
    show: z.optional(z.catch(z.optional(z.enum(['credits', 'messages', 'tokens', 'time'])), undefined)),
    // The column by which the rows stand, with a minus when it falls; the most of what is shown first without it.
    sort: z.optional(z.catch(z.optional(z.enum(usageSorts)), undefined)),
    source,
  }),
  component: UsagePage,
})
