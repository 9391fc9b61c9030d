import { useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSeveralAccounts } from '@/features/auth'
import { hasCode } from '@/shared/gql'
import { part } from '@/shared/ui'

const AccountLinks = part(() => import('./AccountLinks'))

/** Offers the same address in the user's other accounts when this one does not have the object. */
export function OtherAccounts({ query }: { query: { isLoadingError: boolean; error: unknown } }) {
  const several = useSeveralAccounts()
  return several && query.isLoadingError && hasCode(query.error, 'NOT_FOUND') ? (
    <Suspense fallback={null}>
      <SameAddressLinks />
    </Suspense>
  ) : null
}

function SameAddressLinks() {
  const { t } = useTranslation('members')
  const path = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr })
  return <AccountLinks title={t('account.elsewhere')} path={path} />
}
