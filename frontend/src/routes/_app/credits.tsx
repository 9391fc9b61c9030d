import { createFileRoute, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { creditKinds } from '@/features/usage'
import { day, uuid } from './-search'

/** Where the credits were; they are now under Usage & credits. */
export const Route = createFileRoute('/_app/credits')({
  validateSearch: z.object({
    kind: z.optional(z.catch(z.optional(z.enum(creditKinds)), undefined)),
    agent: uuid,
    export: uuid,
    from: day,
    to: day,
  }),
  beforeLoad: ({ search: { kind, agent, export: exported, from, to } }) => {
    const range = from && to ? ('own' as const) : undefined
    throw redirect({ to: '/usage/credits', search: { kind, agent, export: exported, from, to, range }, replace: true })
  },
})
