import { createFileRoute } from '@tanstack/react-router'
import { ConversationsPage } from '@/routes/_app/-activity/ConversationsPage'
import { conversationSearch } from '../../../-activitySearch'

export const Route = createFileRoute('/_app/agents/$id/activity/conversations')({
  validateSearch: conversationSearch,
  component: ConversationsPage,
})
