export { InvitationPage } from './InvitationPage'
export { MembersPage } from './MembersPage'
