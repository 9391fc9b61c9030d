import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { PlaygroundPage } from '@/features/playground'
import { number, text } from '../../-search'

export const Route = createFileRoute('/_app/agents/$id/playground')({
  validateSearch: z.object({
    // Which version answers; the draft without it.
    version: number,
    // The conversation's session ID.
    session: text,
    // The turn that a new conversation continues from.
    continue: text,
  }),
  component: PlaygroundPage,
})
