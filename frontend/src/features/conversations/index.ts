export { ConversationPage } from './ConversationPage'
export { ConversationsPage } from './ConversationsPage'
export { forgetConversations } from './queries'
export { type Scope, ScopeChoice } from './ScopeChoice'
