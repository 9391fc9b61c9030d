import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { CreditsPage, creditKinds } from '@/features/credits'
import { day } from '../-search'
import { period } from '../-usageSearch'

export const Route = createFileRoute('/_app/usage/credits')({
  validateSearch: z.object({
    ...period,
    kind: z.optional(z.catch(z.optional(z.enum(creditKinds)), undefined)),
    // The first day of the row that is open.
    open: day,
  }),
  component: CreditsPage,
})
