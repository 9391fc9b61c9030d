import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { CreditsPage, creditKinds } from '@/features/credits'

const uuid = z.optional(
  z.catch(z.optional(z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i))), undefined),
)
const date = z.optional(z.catch(z.optional(z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))), undefined))

export const Route = createFileRoute('/_app/credits')({
  validateSearch: z.object({
    kind: z.optional(z.catch(z.optional(z.enum(creditKinds)), undefined)),
    agent: uuid,
    export: uuid,
    // Whole days in the reader's time zone, both inclusive.
    from: date,
    to: date,
    // Whether usage is shown as a table instead of a chart.
    view: z.optional(z.catch(z.optional(z.enum(['table'])), undefined)),
  }),
  component: CreditsPage,
})
