import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { dropAllDrafts } from './drafts'

const LeaveDialog = lazy(() => import('./LeaveDialog'))

type Props = {
  dirty: boolean
  /** The drawers beside which the form stays as it is, `undefined` for none of them. */
  beside?: (string | undefined)[]
}

/**
 * Asks before unsaved changes to an agent are left: another page, or another drawer of this one. An expired session leads to the
 * sign-in page without asking; the draft is restored afterwards.
 */
export function LeaveGuard({ dirty, beside = [] }: Props) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      dirty &&
      next.pathname !== '/login' &&
      (next.pathname !== current.pathname ||
        (drawerOf(next.search) !== drawerOf(current.search) && !beside.includes(drawerOf(next.search)))),
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

const drawerOf = (search: object) => ('node' in search ? (search.node as string | undefined) : undefined)
