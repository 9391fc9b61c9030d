import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConfirmOptions } from './confirm'
import { FormError } from './FormError'

export function openConfirmation(options: ConfirmOptions) {
  const id: string = modals.open({
    title: <span className="panel-user-text">{options.title}</span>,
    children: <Question {...options} close={() => modals.close(id)} />,
    closeOnClickOutside: false,
  })
}

function Question({ body, confirmLabel, danger, onConfirm, close }: ConfirmOptions & { close: () => void }) {
  const { t } = useTranslation()
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()
  const run = async () => {
    setPending(true)
    setError(undefined)
    try {
      await onConfirm()
      close()
    } catch (thrown) {
      setError(thrown)
      setPending(false)
    }
  }
  return (
    <Stack gap="md">
      {typeof body === 'string' ? <Text className="panel-user-text">{body}</Text> : body}
      <FormError error={error} onClose={() => setError(undefined)} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={close} data-autofocus>
          {t('cancel')}
        </Button>
        <Button color={danger ? 'red.9' : undefined} onClick={run} loading={pending}>
          {confirmLabel}
        </Button>
      </Group>
    </Stack>
  )
}
