import { Button, Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { CodeField, code, newPassword, PasswordField, proofOf, useSecondFactor, wrongProofAt } from '@/features/auth'
import { gql } from '@/shared/gql'
import { FormError, notifyDone, required, useApiForm } from '@/shared/ui'
import { ChangePasswordDocument, refreshSignIns } from './queries'

const currentPassword = z.string().check(required())
const schema = z.object({ currentPassword, newPassword, code: z.string() })
const schemaWithCode = z.object({ currentPassword, newPassword, code })

export function PasswordForm() {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const withCode = useSecondFactor()
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { currentPassword: '', newPassword: '', code: '' },
    schema: withCode ? schemaWithCode : schema,
    submit: async (values) => {
      await gql(ChangePasswordDocument, { input: proofOf(values, withCode) }).catch(
        wrongProofAt('currentPassword', withCode),
      )
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
        {withCode && <CodeField key={form.key('code')} {...form.getInputProps('code')} />}
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
