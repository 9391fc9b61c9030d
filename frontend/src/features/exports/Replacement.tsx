import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconReplace } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '@/shared/time'
import type { AgentExport } from './queries'
import { hints, useRemoveExport } from './useRemoveExport'

/** The second step of replacing a key: shows whether the old one is still used, and removes it. */
export function Replacement({ agentId, old, onDone }: { agentId: string; old: AgentExport; onDone: () => void }) {
  const { t } = useTranslation('exports')
  const remove = useRemoveExport(agentId)
  return (
    <Alert
      icon={<IconReplace aria-hidden />}
      title={t('replacement.title')}
      role="region"
      aria-label={t('replacement.title')}
    >
      <Stack gap="xs">
        <Text size="md" className="panel-user-text">
          {t('replacement.text', { name: old.name, hint: hints(old) })}
        </Text>
        <Text size="md">
          {t('replacement.oldLastUsed')}: <RelativeTime time={old.lastUsedAt} />
        </Text>
        <Group gap="xs">
          <Button variant="default" c="var(--bad)" onClick={() => remove(old, onDone)}>
            {t('replacement.remove')}
          </Button>
          <Button variant="default" onClick={onDone}>
            {t('replacement.keep')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
