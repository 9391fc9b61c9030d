import { useEffect, useRef } from 'react'
import { useNow } from '@/shared/time'

/** Calls `begin` when a UTC day begins while the page is shown: what was used then counts from 0 again. */
export function useEachDay(begin: () => void) {
  const day = new Date(useNow()).toISOString().slice(0, 10)
  const known = useRef(day)
  const latest = useRef(begin)
  latest.current = begin
  useEffect(() => {
    if (known.current !== day) latest.current()
    known.current = day
  }, [day])
}
