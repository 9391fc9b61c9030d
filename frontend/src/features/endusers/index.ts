export { EndUsersPage } from './EndUsersPage'
