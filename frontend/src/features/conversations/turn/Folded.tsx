import type { ReactNode } from 'react'
import { SentText } from '@/shared/markdown'
import classes from './actions.module.css'

type Props = {
  name: string
  /** Shown next to the name. */
  mark?: ReactNode
  /** The name of the text for screen readers. */
  label: string
  text: string
  json?: boolean
  open?: boolean
}

/** An action by its name, with its arguments or its result folded. */
export function Folded({ name, mark, label, text, json = false, open }: Props) {
  return (
    <details className={classes.folded} open={open}>
      <summary>
        <span className={classes.named}>
          <code translate="no" className="panel-user-text">
            {name}
          </code>{' '}
          {mark}
        </span>
      </summary>
      <SentText text={text} name={label} json={json} box={classes.box} />
    </details>
  )
}
