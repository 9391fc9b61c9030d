import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'

/** How close to the end, in pixels, counts as being at the end. */
const slack = 32

/** How long, in milliseconds, an earlier smooth scroll may still run after a jump to the end. */
const settlingMs = 300

/**
 * Keeps a scrolling box at its end, unless the reader has scrolled up. `box` and `content` are refs of the scrolling element and
 * its growing content.
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
    // At the top of the page, Try ends below the window.
    box.current?.closest('[data-pane]')?.scrollIntoView({ block: 'nearest' })
  }, [toEnd])

  // Growing content also increases the distance to the end, so distance alone does not show that the reader has scrolled up. The
  // first pixel upwards does, or growing text would pull them back.
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

  // By default, End scrolls to where the end was when the key was pressed, not to the end of growing text.
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
