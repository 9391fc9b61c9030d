import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { dropAllDrafts } from './drafts'
import type { Saver } from './saver'

const LeaveDialog = lazy(() => import('./LeaveDialog'))

type Props = { saver: Pick<Saver<Record<string, unknown>>, 'isSaved' | 'flush' | 'hurry' | 'stop'> }

/**
 * Saves before another page is opened, and asks if something could not be saved. An expired session leads to the sign-in page
 * without asking; the draft is restored afterwards.
 */
export function LeaveGuard({ saver }: Props) {
  const blocker = useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (saver.isSaved() || next.pathname === '/login' || next.pathname === current.pathname) return false
      return !(await saver.flush())
    },
    // A browser does not wait: it asks, too, in the second before a change is saved.
    enableBeforeUnload: () => {
      saver.hurry()
      return !saver.isSaved()
    },
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const leave = () => {
    saver.stop()
    dropAllDrafts()
    blocker.proceed()
  }
  return (
    <Suspense fallback={null}>
      <LeaveDialog onStay={blocker.reset} onLeave={leave} />
    </Suspense>
  )
}
