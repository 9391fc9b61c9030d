import { ActivityFrame } from '@/features/agents'
import { Conversations, SaveConversations } from '@/features/conversations'

/** What was said: of the whole account, or with the agent in the address. */
export const ConversationsPage = () => (
  <ActivityFrame actions={<SaveConversations />}>
    <Conversations />
  </ActivityFrame>
)
