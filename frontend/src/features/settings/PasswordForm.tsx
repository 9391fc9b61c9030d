import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { newPassword, wrongPasswordAt } from '@/features/auth'
import { gql } from '@/shared/gql'
import { FormError, notifyDone, required, useApiForm } from '@/shared/ui'
import { ChangePasswordDocument } from './queries'

const schema = z.object({
  currentPassword: z.string().check(required()),
  newPassword,
})

export function PasswordForm() {
  const { t } = useTranslation('settings')
  const { t: tAuth } = useTranslation('auth')
  const queryClient = useQueryClient()
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { currentPassword: '', newPassword: '' },
    schema,
    submit: async (input) => {
      await gql(ChangePasswordDocument, { input }).catch(wrongPasswordAt('currentPassword'))
      form.reset()
      notifyDone(t('passwordChanged'))
      await queryClient.invalidateQueries({ queryKey: ['signIns'] })
    },
  })
  const toggle = { 'aria-label': tAuth('showPassword') }
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm" maw={380}>
        <PasswordInput
          label={t('currentPassword')}
          autoComplete="current-password"
          visibilityToggleButtonProps={toggle}
          key={form.key('currentPassword')}
          {...form.getInputProps('currentPassword')}
        />
        <PasswordInput
          label={t('newPassword')}
          description={tAuth('passwordRule')}
          autoComplete="new-password"
          visibilityToggleButtonProps={toggle}
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
