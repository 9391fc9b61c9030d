import { Suspense, useState } from 'react'
import { part } from '@/shared/ui'
import { AccountIcon } from './AccountIcon'

const load = () => import('./AccountMenu')
const AccountMenu = part(load)

/** The account button. Its menu is loaded on hover, focus or click. */
export function AccountButton() {
  const [wanted, setWanted] = useState(false)
  const icon = (
    <AccountIcon onPointerEnter={() => void load()} onFocus={() => void load()} onClick={() => setWanted(true)} />
  )
  if (!wanted) return icon
  return (
    <Suspense fallback={icon}>
      <AccountMenu />
    </Suspense>
  )
}
