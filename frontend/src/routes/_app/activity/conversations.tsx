import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ConversationsPage } from '@/routes/_app/-activity/ConversationsPage'
import { conversationSearch } from '../-activitySearch'
import { number } from '../-search'

export const Route = createFileRoute('/_app/activity/conversations')({
  validateSearch: z.extend(conversationSearch, {
    // The turn of the open conversation that is marked, and whether the searched text is in its reply.
    turn: number,
    in: z.optional(z.catch(z.optional(z.literal('reply')), undefined)),
  }),
  component: ConversationsPage,
})
