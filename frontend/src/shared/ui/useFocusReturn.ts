import { useEffect, useState } from 'react'

/** Gives the focus back, at the end of a dialog that is simply taken away, to what had it before. */
export function useFocusReturn() {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    },
    [before],
  )
}
