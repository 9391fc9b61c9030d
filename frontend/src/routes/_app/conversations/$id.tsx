import { createFileRoute } from '@tanstack/react-router'
import { ConversationPage } from '@/features/conversations'

export const Route = createFileRoute('/_app/conversations/$id')({ component: ConversationPage })
