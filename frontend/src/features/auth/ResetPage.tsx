import { Alert, Button, Stack } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink, FormError, useApiForm } from '@/shared/ui'
import { AuthPage } from './AuthPage'
import { resetPassword } from './actions'
import { PasswordField } from './PasswordField'
import { resetSchema } from './schemas'

/** Sets a new password by a link. Opening it uses nothing up: programs that look for harm in mail open links, too. */
export function ResetPage() {
  const { t } = useTranslation('auth')
  const [done, setDone] = useState(false)
  // In the fragment, which no server sees.
  const token = useLocation({ select: ({ hash }) => new URLSearchParams(hash).get('token') }) ?? ''
  return (
    <AuthPage
      title={t('reset.title')}
      foot={
        <>
          <AppLink to="/login" underline="always">
            {t('signIn')}
          </AppLink>
          {!done && (
            <AppLink to="/forgot" underline="always">
              {t('reset.another')}
            </AppLink>
          )}
        </>
      }
    >
      {done ? (
        <Alert role="status">{t('reset.done')}</Alert>
      ) : token ? (
        <ResetForm token={token} onDone={() => setDone(true)} />
      ) : (
        <Alert color="yellow">{t('reset.incomplete')}</Alert>
      )}
    </AuthPage>
  )
}

function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation('auth')
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { newPassword: '' },
    schema: resetSchema,
    submit: async ({ newPassword }) => {
      await resetPassword({ token, newPassword })
      onDone()
    },
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <PasswordField
          label={t('reset.newPassword')}
          isNew
          autoFocus
          key={form.key('newPassword')}
          {...form.getInputProps('newPassword')}
        />
        <FormError error={error} onClose={clearError} />
        <Button type="submit" loading={pending}>
          {t('reset.submit')}
        </Button>
      </Stack>
    </form>
  )
}
