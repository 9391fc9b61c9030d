import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionCall } from './ActionCall'
import type { CallState } from './actions'
import classes from './actions.module.css'
import type { Call } from './texts'

type Props = {
  calls: readonly Call[]
  /** The state of all calls, if it changed since they were read. */
  state?: CallState
  /** The form that shows and answers them, while they are open. */
  form?: ReactNode
}

/** The actions that a reply asks for, with their arguments and states. Renders nothing without actions. */
export function ActionCalls({ calls, state, form }: Props) {
  const { t } = useTranslation('results')
  if (calls.length === 0) return null
  return (
    <section aria-label={t('asked')} className={classes.list}>
      <p className={classes.head}>{t('asked')}</p>
      {form ?? calls.map((call) => <ActionCall key={call.id} call={call} state={state ?? call.state} />)}
    </section>
  )
}
