import { Alert, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { AppLink } from '@/shared/ui'
import type { Gate } from './gate'

type Props = {
  agentId: string
  gate: Gate | undefined
  /** The id of the sentence that only owners can publish. */
  lockedId: string
  onLeave: () => void
}

/** Says whether the draft has passed its tests, with a link to them if it has not. */
export function GateNotice({ agentId, gate, lockedId, onLeave }: Props) {
  const { t } = useTranslation('versions')
  if (!gate || gate.standing === 'NOT_NEEDED') return null
  const { standing, held, mayOverride, run } = gate
  if (!held) {
    return (
      run && (
        <Group gap={4} c="var(--ok)">
          <IconCircleCheck size={16} aria-hidden />
          <Text inherit>{t('tests.passed', { number: run.number })}</Text>
        </Group>
      )
    )
  }
  return (
    <Alert color="yellow" role="status" icon={<IconAlertTriangle aria-hidden />}>
      <Text fw={500}>
        {standing === 'FAILED' && run
          ? t('tests.failed', { failed: formatNumber(run.failed), count: run.cases })
          : t('tests.untested')}
      </Text>
      <Group gap="sm">
        <AppLink to="/agents/$id/tests" params={{ id: agentId }} underline="always" onClick={onLeave}>
          {t('tests.run')}
        </AppLink>
        {standing === 'FAILED' && run && (
          <AppLink
            to="/agents/$id/tests"
            params={{ id: agentId }}
            search={{ run: run.id }}
            underline="always"
            onClick={onLeave}
          >
            {t('tests.view', { number: run.number })}
          </AppLink>
        )}
        {!mayOverride && <Text id={lockedId}>{t('tests.ownersOnly')}</Text>}
      </Group>
    </Alert>
  )
}
