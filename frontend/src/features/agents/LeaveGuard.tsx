import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { dropAllDrafts } from './drafts'

const LeaveDialog = lazy(() => import('./LeaveDialog'))

/**
 * Asks before unsaved changes to an agent are left for another page. An expired session leads to the sign-in page without asking;
 * the draft is restored afterwards.
 */
export function LeaveGuard({ dirty }: { dirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && next.pathname !== '/login' && next.pathname !== current.pathname,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const leave = () => {
    dropAllDrafts()
    blocker.proceed()
  }
  return (
    <Suspense fallback={null}>
      <LeaveDialog onStay={blocker.reset} onLeave={leave} />
    </Suspense>
  )
}
