import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useViewer } from '@/features/auth'
import { Page } from '@/shared/ui'
import { Balance } from './Balance'
import { CreditsBanner } from './CreditsBanner'
import { HistorySection } from './HistorySection'
import { refreshCredits } from './queries'
import { UsageSection } from './UsageSection'

export function CreditsPage() {
  const { t } = useTranslation('credits')
  useFollowBalance()
  return (
    <Page title={t('title')} description={t('description')}>
      <CreditsBanner />
      <Balance />
      <UsageSection />
      <HistorySection />
    </Page>
  )
}

/** Usage and history are refetched when the polled balance changes. */
function useFollowBalance() {
  const queryClient = useQueryClient()
  const balance = useViewer().data?.viewer.creditBalance
  const shown = useRef(balance)
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== balance) refreshCredits(queryClient)
    shown.current = balance
  }, [balance, queryClient])
}
