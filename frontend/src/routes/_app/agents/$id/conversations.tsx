import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ConversationsPage } from '@/features/conversations'
import { conversationSearch } from '../../-conversationSearch'

export const Route = createFileRoute('/_app/agents/$id/conversations')({
  validateSearch: z.object(conversationSearch),
  component: ConversationsPage,
})
