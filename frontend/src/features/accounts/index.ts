import { part } from '@/shared/ui'

export { OtherAccounts } from './OtherAccounts'

// Loaded on demand: few users open one of these.
export const NewAccountDialog = part(() => import('./NewAccountDialog'))
export const NoAccountPage = part(() => import('./NoAccountPage'))
export const AccountLinks = part(() => import('./AccountLinks'))
