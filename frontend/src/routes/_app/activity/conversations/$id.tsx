import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ConversationPage } from '@/features/conversations'
import { number, text } from '../../-search'

export const Route = createFileRoute('/_app/activity/conversations/$id')({
  // The number of the turn that is shown first, and what was searched for, in its reply or first in its message.
  validateSearch: z.object({ turn: number, in: z.optional(z.catch(z.optional(z.literal('reply')), undefined)), text }),
  component: ConversationPage,
})
