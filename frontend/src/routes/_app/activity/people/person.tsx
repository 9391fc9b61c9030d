import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { PersonPage } from '@/features/people'
import { text, uuid } from '../../-search'

export const Route = createFileRoute('/_app/activity/people/person')({
  validateSearch: z.object({
    // The exact user_id. It is no part of the path: browsers would take "." and ".." for steps.
    id: text,
    // The agent whose conversations the user may erase without the others.
    agent: uuid,
  }),
  component: PersonPage,
})
