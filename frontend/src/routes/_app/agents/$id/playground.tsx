import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { PlaygroundPage } from '@/features/playground'

const number = z.coerce.number().check(z.int(), z.minimum(1))

export const Route = createFileRoute('/_app/agents/$id/playground')({
  validateSearch: z.object({
    // Which version answers; the draft without it.
    version: z.optional(z.catch(z.optional(number), undefined)),
    // The conversation's session ID.
    session: z.optional(z.catch(z.optional(z.coerce.string()), undefined)),
  }),
  component: PlaygroundPage,
})
