import { lazy } from 'react'

export { Elsewhere } from './Elsewhere'

// Few people come to see one of these.
export const NewAccountDialog = lazy(() => import('./NewAccountDialog'))
export const NoAccountPage = lazy(() => import('./NoAccountPage'))
export const OtherAccounts = lazy(() => import('./OtherAccounts'))
