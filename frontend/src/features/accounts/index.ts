import { lazy } from 'react'

export { OtherAccounts } from './OtherAccounts'

// Loaded on demand: few users open one of these.
export const NewAccountDialog = lazy(() => import('./NewAccountDialog'))
export const NoAccountPage = lazy(() => import('./NoAccountPage'))
export const AccountLinks = lazy(() => import('./AccountLinks'))
