import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './BuildForm.module.css'

type Props = {
  id: string
  title: string
  /** A summary of the settings, next to the title. */
  state: ReactNode
  /** What needs attention, in words. */
  problem?: ReactNode
  /** The first error at one of its fields. */
  error?: ReactNode
  /** Whether callers get something else until the next publishing. */
  changed: boolean
  open: boolean
  onToggle: (open: boolean) => void
  children: ReactNode
}

/** A part of the form as one line that says what is set, and opens its fields in place. */
export function Section({ id, title, state, problem, error, changed, open, onToggle, children }: Props) {
  const { t } = useTranslation('agents')
  return (
    <details
      id={id}
      className={classes.section}
      open={open}
      onToggle={({ currentTarget, target }) => target === currentTarget && onToggle(currentTarget.open)}
    >
      <summary>
        <h2 id={`${id}-title`} className={classes.title}>
          {title}
        </h2>{' '}
        <span className={`${classes.state} panel-user-text`}>{state}</span>{' '}
        {error ? (
          <span className={classes.error}>
            <IconAlertCircle size={14} aria-hidden /> <span>{error}</span>
          </span>
        ) : (
          problem && <span className={classes.problem}>{problem}</span>
        )}{' '}
        {changed && <span className={classes.changed}>{t('section.changed')}</span>}
      </summary>
      <div className={classes.body}>{children}</div>
    </details>
  )
}
