import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'

/** How far from its end a box still counts as read to the end, in pixels. */
const slack = 32

/** How long after a jump to the end a smooth scroll of before it may still be running, in milliseconds. */
const settlingMs = 300

/**
 * Keeps a scrolling box at its end while the reader is there, and leaves it alone when they have scrolled up. `box` and `content`
 * are refs of the scrolling element and of what grows in it.
 */
export function useFollow() {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  const lastTop = useRef(0)
  const settledAt = useRef(0)
  const [away, setAway] = useState(false)

  const toEnd = useCallback(() => {
    if (!box.current) return
    box.current.scrollTop = box.current.scrollHeight
    lastTop.current = box.current.scrollTop
  }, [])

  const jump = useCallback(() => {
    following.current = true
    settledAt.current = performance.now() + settlingMs
    setAway(false)
    toEnd()
  }, [toEnd])

  // What grows under a reader at the end is no scrolling of theirs, so the distance alone does not say that they have left; and
  // the first pixel upwards does, or growing text would hold them back.
  const onScroll = useCallback(() => {
    const element = box.current
    if (!element) return
    if (performance.now() < settledAt.current) return toEnd()
    const { scrollTop, scrollHeight, clientHeight } = element
    const distance = scrollHeight - scrollTop - clientHeight
    if (distance <= 1) following.current = true
    else if (scrollTop < lastTop.current) following.current = false
    else if (distance <= slack) following.current = true
    lastTop.current = scrollTop
    setAway(!following.current)
  }, [toEnd])

  // The End key by itself scrolls to where the end was, which growing text has left behind by then.
  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      if (event.key !== 'End') return
      event.preventDefault()
      jump()
    },
    [jump],
  )

  useEffect(() => {
    if (!content.current) return
    const observer = new ResizeObserver(() => {
      if (following.current) toEnd()
    })
    observer.observe(content.current)
    return () => observer.disconnect()
  }, [toEnd])

  return { box, content, away, jump, onScroll, onKeyDown }
}
