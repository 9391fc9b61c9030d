import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormError } from '@/shared/ui'

type Props = {
  edit: { dirty: boolean; pending: boolean; error: unknown; clearError: () => void; restored: boolean }
  /** Whether callers use the agent: then they get what is saved. */
  live: boolean
}

/** The lower end of an agent's forms: errors, and Save with what it does. */
export function FormFoot({ edit, live }: Props) {
  const { t } = useTranslation('agents')
  return (
    <>
      {edit.restored && edit.dirty && (
        <Alert color="indigo" role="status" py="xs">
          {t('restored')}
        </Alert>
      )}
      <FormError error={edit.error} onClose={edit.clearError} />
      <Group gap="sm">
        <Button type="submit" loading={edit.pending} disabled={!edit.dirty}>
          {t('save')}
        </Button>
        <Text size="sm" c="dimmed" style={{ flex: '1 1 200px' }}>
          {edit.dirty ? t(live ? 'unsavedLive' : 'unsaved') : t(live ? 'liveHint' : 'nothingChanged')}
        </Text>
      </Group>
    </>
  )
}
