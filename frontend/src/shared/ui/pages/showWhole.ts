import type { FocusEvent } from 'react'

/** For a row that scrolls sideways: what gets the focus at its edge is scrolled into view whole, which browsers leave half out of it. */
export const showWhole = ({ target }: FocusEvent) => target.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
