import type { ReactNode } from 'react'
import classes from './SubPages.module.css'
import { showCurrent, showWhole } from './showWhole'

/** The pages of one place: their links at the left, on a phone in one scrolling line above. */
export function SubPages({ label, links, children }: { label: string; links: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.frame}>
      <nav ref={showCurrent} className={classes.links} aria-label={label} onFocus={showWhole}>
        {links}
      </nav>
      <div className={classes.page}>{children}</div>
    </div>
  )
}
