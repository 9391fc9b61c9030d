import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormError } from '../forms/FormError'
import type { useApiForm } from '../forms/useApiForm'

type Props = {
  api: Pick<ReturnType<typeof useApiForm>, 'onSubmit' | 'pending' | 'error' | 'clearError'>
  /** The verb: "Create agent". */
  submitLabel: string
  /** Makes the button red: something will be lost. */
  danger?: boolean
  onCancel: () => void
  /** The fields, and what has to be said before them. */
  children: ReactNode
}

/** The form of a dialog: fields, what the service had against them, Cancel and the verb. */
export function DialogForm({ api, submitLabel, danger, onCancel, children }: Props) {
  const { t } = useTranslation()
  const { onSubmit, pending, error, clearError } = api
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {children}
        <FormError error={error} onClose={clearError} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel} disabled={pending}>
            {t('cancel')}
          </Button>
          <Button type="submit" color={danger ? 'red' : undefined} loading={pending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
