import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink, FormError, QueryView, useApiForm } from '@/shared/ui'
import { AuthPage, OperatorText } from './AuthPage'
import { requestPasswordReset } from './links'
import { forgotSchema } from './schemas'
import { useServiceInfo } from './viewer'

/** Requests a link that resets a forgotten password. */
export function ForgotPage() {
  const { t } = useTranslation('auth')
  const service = useServiceInfo()
  return (
    <AuthPage
      title={t('forgot.title')}
      foot={
        <AppLink to="/login" underline="always">
          {t('signIn')}
        </AppLink>
      }
    >
      <QueryView query={service}>
        {(info) =>
          info.mail ? (
            <ForgotForm />
          ) : (
            <Text>
              {t('forgottenHelp')} <OperatorText text={info.supportContact} />
            </Text>
          )
        }
      </QueryView>
    </AuthPage>
  )
}

function ForgotForm() {
  const { t } = useTranslation('auth')
  const [sentTo, setSentTo] = useState<string>()
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { email: '' },
    schema: forgotSchema,
    submit: async (values) => {
      const email = values.email.trim()
      await requestPasswordReset({ email })
      setSentTo(email)
    },
  })
  if (sentTo) return <Alert role="status">{t('forgot.sent', { email: sentTo })}</Alert>
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Text>{t('forgot.text')}</Text>
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="username"
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <FormError error={error} onClose={clearError} />
        <Button type="submit" loading={pending}>
          {t('forgot.submit')}
        </Button>
      </Stack>
    </form>
  )
}
