import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { UsagePage } from '@/features/usage'
import { source } from '../-search'
import { period } from '../-usageSearch'

export const Route = createFileRoute('/_app/usage/')({
  validateSearch: z.object({
    ...period,
    // By agent without it.
    split: z.optional(z.catch(z.optional(z.enum(['agent', 'export', 'model', 'user', 'status'])), undefined)),
    // What is shown of it: credits without it.
    show: z.optional(z.catch(z.optional(z.enum(['credits', 'messages', 'tokens', 'time'])), undefined)),
    // The column by which the rows stand; without it, what is shown.
    sort: z.optional(
      z.catch(
        z.optional(z.enum(['name', 'credits', 'messages', 'tokens', 'failed', 'refused', 'median', 'p95'])),
        undefined,
      ),
    ),
    source,
  }),
  component: UsagePage,
})
