import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** Asks before unsaved instructions are left. A sign-in that has run out leads on without asking: they are kept for the way back. */
export function LeaveDialog({ dirty, onLeave }: { dirty: boolean; onLeave: () => void }) {
  const { t } = useTranslation('playground')
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && next.pathname !== '/login' && next.pathname !== current.pathname,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Modal opened onClose={blocker.reset} title={t('leaveTitle')} withCloseButton={false}>
      <Stack gap="md">
        <Text>{t('leaveText')}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={blocker.reset} data-autofocus>
            {t('stay')}
          </Button>
          <Button
            color="red"
            onClick={() => {
              onLeave()
              blocker.proceed()
            }}
          >
            {t('leave')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
