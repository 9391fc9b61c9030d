export { ConversationsPage } from './ConversationsPage'
export { PeoplePage } from './PeoplePage'
export { RequestsPage } from './RequestsPage'
