import { Button, Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { newPassword, PasswordField, wrongPasswordAt } from '@/features/auth'
import { gql } from '@/shared/gql'
import { FormError, notifyDone, required, useApiForm } from '@/shared/ui'
import { ChangePasswordDocument, refreshSignIns } from './queries'

const schema = z.object({
  currentPassword: z.string().check(required()),
  newPassword,
})

export function PasswordForm() {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { currentPassword: '', newPassword: '' },
    schema,
    submit: async (input) => {
      await gql(ChangePasswordDocument, { input }).catch(wrongPasswordAt('currentPassword'))
      form.reset()
      notifyDone(t('passwordChanged'))
      await refreshSignIns(queryClient)
    },
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm" maw={380}>
        <PasswordField
          label={t('currentPassword')}
          key={form.key('currentPassword')}
          {...form.getInputProps('currentPassword')}
        />
        <PasswordField
          label={t('newPassword')}
          isNew
          key={form.key('newPassword')}
          {...form.getInputProps('newPassword')}
        />
        <FormError error={error} onClose={clearError} />
        <Group>
          <Button type="submit" loading={pending} variant={form.isDirty() ? 'filled' : 'default'}>
            {t('changePassword')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
