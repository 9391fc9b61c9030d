import type { ReactNode } from 'react'
import classes from './BuildForm.module.css'

type Props = {
  id: string
  title: string
  /** What it holds, beside the title. */
  summary: ReactNode
  children: ReactNode
}

/** A part of the form that is closed at first. An error at one of its fields opens it. */
export function Fold({ id, title, summary, children }: Props) {
  return (
    <details id={id} className={classes.fold}>
      <summary>
        <span className={classes.title}>{title}</span>
        <span className={`${classes.summary} panel-user-text`}>{summary}</span>
      </summary>
      <div className={classes.body}>{children}</div>
    </details>
  )
}
