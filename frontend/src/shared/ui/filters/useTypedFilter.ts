import { useDebouncedCallback } from '@mantine/hooks'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'

const applyAfterMs = 250

/**
 * A text filter that is kept in the URL. The URL changes shortly after the last keystroke. Everything typed until the field is
 * left is one history entry, so that Back leads to the state before it.
 */
export function useTypedFilter(value: string, apply: (value: string | undefined, replace: boolean) => void) {
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  const begun = useRef(false)
  const send = useDebouncedCallback((next: string) => {
    if (next === sent.current) return
    sent.current = next
    apply(next || undefined, begun.current)
    begun.current = true
  }, applyAfterMs)
  useEffect(() => {
    // The URL was changed elsewhere: by Back, a link, or "Clear filters".
    if (value !== sent.current) {
      sent.current = value
      begun.current = false
      send.cancel()
      setTyped(value)
    }
  }, [value, send])
  return {
    value: typed,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setTyped(event.currentTarget.value)
      send(event.currentTarget.value.trim())
    },
    onBlur: () => {
      send.flush()
      begun.current = false
    },
  }
}
