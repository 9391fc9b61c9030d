import { createFileRoute, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { text } from '../../-search'

/** Where the people of an agent were; they are now under People. */
export const Route = createFileRoute('/_app/agents/$id/end-users')({
  validateSearch: z.object({ search: text }),
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/people', search: { agent: params.id, ...search }, replace: true })
  },
})
