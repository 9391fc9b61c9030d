import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFocusReturn } from '@/shared/ui'

/** Asks before unsaved changes are lost. */
export default function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation('agents')
  useFocusReturn()
  return (
    <Modal
      opened
      onClose={onStay}
      title={t('leaveTitle')}
      zIndex={300}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
    >
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
    </Modal>
  )
}
