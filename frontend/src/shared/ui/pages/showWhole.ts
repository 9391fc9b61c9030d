import type { FocusEvent } from 'react'

/** For a row that scrolls sideways: what gets the focus at its edge is scrolled into view whole, which browsers leave half out of it. */
export const showWhole = ({ target }: FocusEvent) => target.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })

/** Keeps the link of the open page in the middle of such a row, at first and whenever the row's width changes. */
export function showCurrent(links: HTMLElement | null) {
  if (!links) return
  const observer = new ResizeObserver(() => {
    const current = links.querySelector<HTMLElement>('[aria-current=page]')
    if (current) links.scrollLeft = current.offsetLeft - links.clientWidth / 2
  })
  observer.observe(links)
  return () => observer.disconnect()
}
