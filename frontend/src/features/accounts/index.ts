import { lazy } from 'react'

export { OtherAccounts } from './OtherAccounts'

// Few people come to see one of these.
export const NewAccountDialog = lazy(() => import('./NewAccountDialog'))
export const NoAccountPage = lazy(() => import('./NoAccountPage'))
export const AccountLinks = lazy(() => import('./AccountLinks'))
