export { AllConversationsPage } from './AllConversationsPage'
export { ConversationPage } from './ConversationPage'
export { ConversationsPage } from './ConversationsPage'
export { type Scope, ScopeChoice } from './ScopeChoice'
