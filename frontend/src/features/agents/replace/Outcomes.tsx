import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AppLink } from '@/shared/ui'
import type { Match } from './Preview'

export type Outcome = {
  changed: Match[]
  /** Those that are as they were, each with the reason. */
  skipped: Match[]
}

type Props = { outcome: Outcome; waiting: number; publish: () => void; onClose: () => void }

/** How many drafts have changed, which have not, and the way to publish them. */
export function Outcomes({ outcome: { changed, skipped }, waiting, publish, onClose }: Props) {
  const { t } = useTranslation('agents')
  return (
    <Stack gap="md">
      <Text role="status">{t('replace.done', { count: changed.length })}</Text>
      {skipped.length > 0 && (
        <ul className="panel-list">
          {skipped.map(({ id, name, skip }) => (
            <li key={id}>
              <AppLink to="/agents/$id" params={{ id }} inherit className="panel-user-text">
                {name}
              </AppLink>
              : {skip}
            </li>
          ))}
        </ul>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('close', { ns: 'common' })}
        </Button>
        {waiting > 0 && (
          <Button onClick={publish} data-autofocus>
            {t('replace.publish', { count: waiting })}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
