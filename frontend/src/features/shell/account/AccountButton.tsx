import { Suspense, useState } from 'react'
import { part } from '@/shared/ui'
import { AccountIcon } from './AccountIcon'

const AccountMenu = part(() => import('./AccountMenu'))

/** The account button. Its menu is loaded on click. */
export function AccountButton() {
  const [wanted, setWanted] = useState(false)
  const icon = <AccountIcon onClick={() => setWanted(true)} />
  if (!wanted) return icon
  return (
    <Suspense fallback={icon}>
      <AccountMenu />
    </Suspense>
  )
}
