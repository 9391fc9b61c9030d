import { type ShouldBlockFn, useBlocker, useRouter } from '@tanstack/react-router'
import { useCallback, useState } from 'react'

/** Where the reader wanted to go, and how. */
type Way = Pick<Parameters<ShouldBlockFn>[0], 'action' | 'next'>

/**
 * Holds back every way out while a key is shown that is shown nowhere else again: closing the drawer (by Escape, a click outside
 * or its button: all of them change the address), Back, another page, closing the tab. `asking` is true while the reader has
 * to say whether it may be lost.
 *
 * Each try is refused at once and taken up again by `leave`. If it waited for the answer instead, Back would have moved the
 * address already, and a second Back would go past the panel.
 */
export function useKeyGuard(active: boolean) {
  const router = useRouter()
  const [way, setWay] = useState<Way>()
  const shouldBlockFn = useCallback(({ action, next }: Way) => {
    setWay({ action, next })
    return true
  }, [])
  useBlocker({ shouldBlockFn, disabled: !active, enableBeforeUnload: active })

  const leave = () => {
    if (!way) return
    setWay(undefined)
    const { action, next } = way
    if (action === 'BACK') return router.history.back({ ignoreBlocker: true })
    if (action === 'FORWARD') return router.history.forward({ ignoreBlocker: true })
    const replace = action === 'REPLACE'
    void router.navigate({ to: next.pathname as '/', search: next.search as never, replace, ignoreBlocker: true })
  }
  return { asking: way !== undefined, stay: () => setWay(undefined), leave }
}
