export { ConversationPage } from './ConversationPage'
export { ConversationsPage } from './ConversationsPage'
