import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { CreditsPage, creditKinds } from '@/features/credits'
import { day, uuid } from './-search'

export const Route = createFileRoute('/_app/credits')({
  validateSearch: z.object({
    kind: z.optional(z.catch(z.optional(z.enum(creditKinds)), undefined)),
    agent: uuid,
    export: uuid,
    // Whole days in the reader's time zone, both inclusive.
    from: day,
    to: day,
    // Whether usage is shown as a table instead of a chart.
    view: z.optional(z.catch(z.optional(z.enum(['table'])), undefined)),
  }),
  component: CreditsPage,
})
