import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useViewer } from '@/features/auth'
import { Place } from '../usage/Place'
import { Balance } from './balance/Balance'
import { CreditsBanner } from './balance/CreditsBanner'
import { HistorySection } from './history/HistorySection'
import { refreshCredits } from './history/queries'

/** The balance, how to add to it, and what was charged and added. */
export function CreditsPage() {
  useFollowBalance()
  return (
    <Place tab="credits">
      <CreditsBanner help={false} />
      <Balance />
      <HistorySection />
    </Place>
  )
}

/** The history is read again when the polled balance changes. */
function useFollowBalance() {
  const queryClient = useQueryClient()
  const balance = useViewer().data?.viewer.creditBalance
  const shown = useRef(balance)
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== balance) refreshCredits(queryClient)
    shown.current = balance
  }, [balance, queryClient])
}
