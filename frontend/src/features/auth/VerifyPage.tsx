import { Alert, Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { hasCode } from '@/shared/gql'
import { AppLink, FormError, required, useApiForm } from '@/shared/ui'
import { AuthPage } from './AuthPage'
import { openAccount, verifyEmail } from './links'
import { PasswordField } from './PasswordField'
import { useLink } from './useLink'

/** Verifies or changes an address, or opens an account, by a mailed link. Opening the page does not use the link up, as with ResetPage. */
export function VerifyPage() {
  const { t } = useTranslation('auth')
  const { token, isNew } = useLink()
  const [done, setDone] = useState(false)
  const Form = isNew ? OpenForm : VerifyForm
  return (
    <AuthPage
      title={t(isNew ? 'verify.openTitle' : 'verify.title')}
      foot={
        <AppLink to={isNew ? '/login' : '/settings'} underline="always">
          {t(isNew ? 'signIn' : 'verify.settings')}
        </AppLink>
      }
    >
      {done ? (
        <Alert role="status">{t(isNew ? 'verify.opened' : 'verify.done')}</Alert>
      ) : token ? (
        <Form token={token} onDone={() => setDone(true)} />
      ) : (
        <Alert color="yellow">{t('reset.incomplete')}</Alert>
      )}
    </AuthPage>
  )
}

type FormProps = { token: string; onDone: () => void }

function OpenForm({ token, onDone }: FormProps) {
  const { t } = useTranslation('auth')
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { password: '' },
    schema: z.object({ password: z.string().check(required()) }),
    submit: async ({ password }) => {
      await openAccount({ token, password })
      onDone()
    },
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Text>{t('verify.openText')}</Text>
        <PasswordField label={t('password')} autoFocus key={form.key('password')} {...form.getInputProps('password')} />
        <FormError error={error} onClose={clearError} />
        <Button type="submit" loading={pending}>
          {t('verify.open')}
        </Button>
      </Stack>
    </form>
  )
}

function VerifyForm({ token, onDone }: FormProps) {
  const { t } = useTranslation('auth')
  const queryClient = useQueryClient()
  const { onSubmit, pending, error, clearError } = useApiForm({
    initialValues: {},
    submit: async () => {
      await verifyEmail({ token })
      onDone()
      await queryClient.invalidateQueries()
    },
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Text>{t('verify.text')}</Text>
        {hasCode(error, 'UNAUTHENTICATED') ? (
          <Alert color="yellow" role="alert">
            {t('verify.signInFirst')}{' '}
            <AppLink to="/login" underline="always" inherit>
              {t('signIn')}
            </AppLink>
          </Alert>
        ) : (
          <FormError error={error} onClose={clearError} />
        )}
        <Button type="submit" loading={pending}>
          {t('verify.submit')}
        </Button>
      </Stack>
    </form>
  )
}
