import type { CSSProperties } from 'react'
import classes from '../Usage.module.css'

/** The colour of a series; those without one of their own are hatched. */
export function Swatch({ colour }: { colour: string }) {
  return (
    <span
      className={classes.swatch}
      data-other={colour.startsWith('url') || undefined}
      style={{ '--colour': colour } as CSSProperties}
      aria-hidden
    />
  )
}
