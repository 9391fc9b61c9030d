export { GeneralPage } from './GeneralPage'
export { InvitationPage } from './InvitationPage'
export { MembersPage } from './MembersPage'
export { type Member, membersQuery } from './queries'
