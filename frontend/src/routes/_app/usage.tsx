import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { UsagePage } from '@/features/usage'
import { day, source, uuid } from './-search'

export const Route = createFileRoute('/_app/usage')({
  validateSearch: z.object({
    // 30 days without it.
    range: z.optional(z.catch(z.optional(z.enum(['24h', '7d', '30d', '90d', 'own'])), undefined)),
    // The first and last local day of an own range, both inclusive.
    from: day,
    to: day,
    // By agent without it.
    split: z.optional(z.catch(z.optional(z.enum(['agent', 'export', 'model', 'user', 'status'])), undefined)),
    agent: uuid,
    export: uuid,
    source,
  }),
  component: UsagePage,
})
