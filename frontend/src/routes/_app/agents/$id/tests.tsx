import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { TestsPage } from '@/features/tests'
import { text, uuid } from '../../-search'

export const Route = createFileRoute('/_app/agents/$id/tests')({
  validateSearch: z.object({
    search: text,
    // The test case that is edited, and the turn that a new one is made from.
    case: z.union([z.literal('new'), uuid]),
    ofTurn: uuid,
    // The run that is shown, and the one that it is compared with.
    run: uuid,
    against: uuid,
  }),
  component: TestsPage,
})
