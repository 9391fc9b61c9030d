import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useViewer } from '@/features/auth'
import { Place, spanText, timesOf } from '@/features/usage'
import { useNow } from '@/shared/time'
import { Balance } from './balance/Balance'
import { CreditsBanner } from './balance/CreditsBanner'
import { HistorySection } from './history/HistorySection'
import { refreshCredits } from './history/queries'
import { useCreditSearch } from './history/useCreditSearch'

/** The balance, how to add to it, and what was charged and added. */
export function CreditsPage() {
  useFollowBalance()
  const now = useNow()
  const times = timesOf(useCreditSearch().search, now)
  return (
    <Place tab="credits" period={times && spanText(times, now)}>
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
