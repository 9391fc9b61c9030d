export { NewAccountDialog } from './NewAccountDialog'
export { NoAccountPage } from './NoAccountPage'
export { OtherAccounts } from './OtherAccounts'
