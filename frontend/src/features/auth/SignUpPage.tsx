import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { hasCode } from '@/shared/gql'
import { AppLink, FormError, FormShape, QueryView, useApiForm } from '@/shared/ui'
import { AuthPage, OperatorText } from './AuthPage'
import { signUp } from './actions'
import { PasswordField } from './PasswordField'
import { signUpSchema } from './schemas'
import { useServiceInfo } from './viewer'

const route = getRouteApi('/signup')

export function SignUpPage() {
  const { t } = useTranslation('auth')
  const { next } = route.useSearch()
  const service = useServiceInfo()
  return (
    <AuthPage
      title={t('signUpTitle')}
      tagline={t('tagline')}
      foot={
        <Text>
          {t('haveAccount')}{' '}
          <AppLink to="/login" search={{ next }} underline="always">
            {t('signIn')}
          </AppLink>
        </Text>
      }
    >
      <QueryView query={service} loading={<FormShape fields={3} />}>
        {(info) =>
          info.signUpOpen ? (
            <>
              {info.startingCredits > 0 && (
                <Text c="dimmed">{t('freeCredits', { amount: formatNumber(info.startingCredits) })}</Text>
              )}
              <SignUpForm contact={info.supportContact} />
            </>
          ) : (
            <Closed contact={info.supportContact} />
          )
        }
      </QueryView>
    </AuthPage>
  )
}

function Closed({ contact }: { contact: string }) {
  const { t } = useTranslation('auth')
  return (
    <Alert color="yellow" title={t('signUpClosed')}>
      {t('signUpClosedHelp')} <OperatorText text={contact} />
    </Alert>
  )
}

function SignUpForm({ contact }: { contact: string }) {
  const { t } = useTranslation('auth')
  const [mailedTo, setMailedTo] = useState<string>()
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { name: '', email: '', password: '' },
    schema: signUpSchema,
    submit: async (values) => {
      const email = values.email.trim()
      if (await signUp({ name: values.name.trim(), email, password: values.password })) setMailedTo(email)
    },
  })
  if (mailedTo) {
    return (
      <Alert role="status" title={t('mailed.title')}>
        {t('mailed.text', { email: mailedTo })}
      </Alert>
    )
  }
  if (hasCode(error, 'SIGN_UP_CLOSED')) return <Closed contact={contact} />
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput
          label={t('name')}
          autoComplete="name"
          autoFocus
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="username"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordField label={t('password')} isNew key={form.key('password')} {...form.getInputProps('password')} />
        <FormError error={error} onClose={clearError} />
        <Button type="submit" loading={pending}>
          {t('signUp')}
        </Button>
      </Stack>
    </form>
  )
}
