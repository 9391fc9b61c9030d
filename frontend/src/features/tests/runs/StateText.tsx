import { Badge } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconClock, IconPlayerStop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Run } from './queries'

const looks = {
  WAITING: { icon: IconClock, color: 'gray' },
  RUNNING: { icon: IconClock, color: 'blue' },
  PASSED: { icon: IconCircleCheck, color: 'green' },
  FAILED: { icon: IconCircleX, color: 'red' },
  STOPPED: { icon: IconPlayerStop, color: 'yellow' },
}

/** The state of a run, or why it was stopped. */
export function StateText({ state, stopReason }: Pick<Run, 'state' | 'stopReason'>) {
  const { t } = useTranslation('tests')
  const { icon: Icon, color } = looks[state]
  return (
    <Badge color={color} leftSection={<Icon size={14} aria-hidden />}>
      {stopReason ? t(`stopped.${stopReason}`) : t(`state.${state}`)}
    </Badge>
  )
}
