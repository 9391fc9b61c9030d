import type { FocusEvent } from 'react'

/** For a row that scrolls sideways: what gets the focus at its edge is scrolled into view whole, which browsers leave half out of it. */
export const showWhole = ({ target }: FocusEvent) => target.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })

/** The same for the link of the page that is open: the last ones begin out of view on a phone. */
export const showCurrent = (links: HTMLElement | null) =>
  links?.querySelector('[aria-current=page]')?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
