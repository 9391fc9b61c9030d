import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ConversationPage } from '@/features/conversations'
import { number, text } from '../../-search'

export const Route = createFileRoute('/_app/activity/conversations/$id')({
  // The number of the turn that is shown first, and what was searched for.
  validateSearch: z.object({ turn: number, text }),
  component: ConversationPage,
})
