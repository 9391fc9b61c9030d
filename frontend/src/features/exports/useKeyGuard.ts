import { type ShouldBlockFn, useBlocker, useRouter } from '@tanstack/react-router'
import { useCallback, useState } from 'react'

/** The blocked navigation. */
type Way = Pick<Parameters<ShouldBlockFn>[0], 'action' | 'next'>

/**
 * Blocks every way out while a key is shown for the only time: closing the drawer (by Escape, a click outside or its button,
 * which all navigate), Back, another page, closing the tab. `asking` is true while the reader has to decide whether it may be
 * lost.
 *
 * Each attempt is rejected immediately and repeated by `leave`. If it waited for the answer, Back would already have changed
 * the URL, and a second Back would leave the panel.
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
