import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFocusReturn } from '@/shared/ui'

/** Asks before unsaved instructions are left. A sign-in that has run out leads on without asking: they are kept for the way back. */
export function LeaveDialog({ dirty, onLeave }: { dirty: boolean; onLeave: () => void }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && next.pathname !== '/login' && next.pathname !== current.pathname,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const leave = () => {
    onLeave()
    blocker.proceed()
  }
  return <Question onStay={blocker.reset} onLeave={leave} />
}

function Question({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation('playground')
  useFocusReturn()
  return (
    <Modal opened onClose={onStay} title={t('leaveTitle')} withCloseButton={false}>
      <Stack gap="md">
        <Text>{t('leaveText')}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onStay} data-autofocus>
            {t('stay')}
          </Button>
          <Button color="red" onClick={onLeave}>
            {t('leave')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
