import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'

/** Prepares a page for paper, before the browser reads it. */
export function useBeforePrint(prepare: () => void) {
  const latest = useRef(prepare)
  latest.current = prepare
  useEffect(() => {
    const onPrint = () => flushSync(latest.current)
    addEventListener('beforeprint', onPrint)
    return () => removeEventListener('beforeprint', onPrint)
  }, [])
}
