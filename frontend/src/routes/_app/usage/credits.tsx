import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { CreditsPage, creditKinds } from '@/features/credits'
import { period } from '../-usageSearch'

export const Route = createFileRoute('/_app/usage/credits')({
  validateSearch: z.object({
    ...period,
    kind: z.optional(z.catch(z.optional(z.enum(creditKinds)), undefined)),
    // The first day of the row that is open: the newest without it.
    open: z.optional(z.catch(z.optional(z.union([z.iso.date(), z.literal('none')])), undefined)),
  }),
  component: CreditsPage,
})
