import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'

/**
 * Holds back every way out while a key is shown that is shown nowhere else again: closing the drawer (by Escape, a click outside
 * or its button: all of them change the address), Back, another page, closing the tab. `asking` is true while the reader has
 * to say whether it may be lost.
 */
export function useKeyGuard(active: boolean) {
  const [asking, setAsking] = useState(false)
  const decide = useRef<(block: boolean) => void>(undefined)

  const answer = useCallback((block: boolean) => {
    decide.current?.(block)
    decide.current = undefined
    setAsking(false)
  }, [])

  const shouldBlockFn = useCallback(async () => {
    // Another try replaces the one that waits.
    decide.current?.(true)
    const block = await new Promise<boolean>((resolve) => {
      decide.current = resolve
      setAsking(true)
    })
    return block
  }, [])
  useBlocker({ shouldBlockFn, disabled: !active, enableBeforeUnload: active })

  // Gone by another way: what waits must not wait for ever.
  useEffect(() => () => decide.current?.(false), [])

  return { asking, stay: () => answer(true), leave: () => answer(false) }
}
