import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AllConversationsPage } from '@/features/conversations'
import { conversationSearch } from '../-conversationSearch'

const uuid = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i))

export const Route = createFileRoute('/_app/conversations/')({
  validateSearch: z.object({ ...conversationSearch, agent: z.optional(z.catch(z.optional(uuid), undefined)) }),
  component: AllConversationsPage,
})
