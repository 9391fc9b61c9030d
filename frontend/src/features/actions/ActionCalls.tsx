import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './actions.module.css'
import { Folded } from './Folded'
import type { Call, CallState } from './values'

const colors = { OPEN: 'yellow', ANSWERED: 'green', NOT_RUN: 'gray' } as const satisfies Record<CallState, string>

type Props = {
  calls: readonly Call[]
  /** What became of them, where more is known of it than when they were read. */
  state?: CallState
}

/** The actions that a reply asks for, with their arguments and what became of them; nothing for none. */
export function ActionCalls({ calls, state }: Props) {
  const { t } = useTranslation('results')
  if (calls.length === 0) return null
  return (
    <section aria-label={t('asked')} className={classes.list}>
      <p className={classes.head}>{t('asked')}</p>
      {calls.map((call) => {
        const now = state ?? call.state
        const mark = (
          <Badge size="sm" variant="light" color={colors[now]}>
            {t(`state.${now}`)}
          </Badge>
        )
        return (
          <Folded
            key={call.id}
            name={call.name}
            mark={mark}
            label={t('arguments', { name: call.name })}
            text={call.arguments}
            json
            open={now === 'OPEN'}
          />
        )
      })}
    </section>
  )
}
