import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/shared/ui'

/** Asks before unsaved changes are lost. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation('agents')
  return (
    <Dialog onClose={onStay} title={t('leaveTitle')} zIndex={300}>
      <Stack gap="md">
        <Text>{t('leaveText')}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onStay} data-autofocus>
            {t('keepEditing')}
          </Button>
          <Button color="red" onClick={onLeave}>
            {t('discard')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
