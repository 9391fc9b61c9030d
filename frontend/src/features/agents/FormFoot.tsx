import { Alert, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormError, StickyFoot } from '@/shared/ui'
import { LeaveGuard } from './LeaveGuard'

type Props = {
  edit: { dirty: boolean; pending: boolean; error: unknown; clearError: () => void; restored: boolean }
  /** Whether callers already get a version, which saving does not change. */
  live: boolean
  /** Reverts all changes. */
  onDiscard: () => void
  /** Notices that belong to the buttons. */
  children?: ReactNode
}

/** The foot of an agent's forms: errors, Save and what it does, and the question before unsaved changes are left. */
export function FormFoot({ edit, live, onDiscard, children }: Props) {
  const { t } = useTranslation('agents')
  return (
    <StickyFoot>
      {children}
      <LeaveGuard dirty={edit.dirty} />
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
        {edit.dirty && (
          <Button variant="default" onClick={onDiscard} disabled={edit.pending}>
            {t('revert')}
          </Button>
        )}
        <Text size="sm" c="dimmed" style={{ flex: '1 1 200px' }}>
          {edit.dirty ? t(live ? 'unsavedLive' : 'unsaved') : t(live ? 'liveHint' : 'nothingChanged')}
        </Text>
      </Group>
    </StickyFoot>
  )
}
