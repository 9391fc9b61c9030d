import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CallState } from './actions'
import { Folded } from './Folded'
import type { Call } from './texts'

const colors = { OPEN: 'yellow', ANSWERED: 'green', NOT_RUN: 'gray' } as const satisfies Record<CallState, string>

/** One action that a reply requests. `title` is its name, numbered if the reply requests it more than once. */
export function ActionCall({ call, title = call.name, state }: { call: Call; title?: string; state: CallState }) {
  const { t } = useTranslation('results')
  const mark = (
    <Badge size="sm" variant="light" color={colors[state]}>
      {t(`state.${state}`)}
    </Badge>
  )
  return (
    <Folded
      name={title}
      mark={mark}
      label={t('arguments', { name: title })}
      text={call.arguments}
      json
      open={state === 'OPEN'}
    />
  )
}
