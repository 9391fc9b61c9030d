export { DataPage } from './DataPage'
export { ProfilePage } from './ProfilePage'
export { SecurityPage } from './SecurityPage'
