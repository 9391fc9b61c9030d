import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AllConversationsPage } from '@/features/conversations'
import { conversationSearch } from '../-conversationSearch'
import { uuid } from '../-search'

export const Route = createFileRoute('/_app/conversations/')({
  validateSearch: z.object({ ...conversationSearch, agent: uuid }),
  component: AllConversationsPage,
})
