import { createFileRoute, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { number, text } from '../../-search'

/** Where the playground was; it is now Try, beside Build or in the whole window. */
export const Route = createFileRoute('/_app/agents/$id/playground')({
  validateSearch: z.object({ version: number, session: text, continue: text }),
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/agents/$id', params, search: { ...search, try: 'window' }, replace: true })
  },
})
