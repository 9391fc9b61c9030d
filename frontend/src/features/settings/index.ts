export { DataPage } from './DataPage'
export { NotificationsPage } from './NotificationsPage'
export { ProfilePage } from './ProfilePage'
export { SecurityPage } from './SecurityPage'
