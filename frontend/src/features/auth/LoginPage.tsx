import { Alert, Button, Collapse, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, startTransition, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '@/shared/gql'
import { AppLink, FormError, part, useApiForm } from '@/shared/ui'
import { AuthPage, OperatorText } from './AuthPage'
import { signIn } from './actions'
import { PasswordField } from './PasswordField'
import { signInSchema } from './schemas'
import { useServiceInfo } from './viewer'

const CodeStep = part(() => import('./CodeStep'))

const route = getRouteApi('/login')

export function LoginPage() {
  const { t } = useTranslation('auth')
  const { next, reason } = route.useSearch()
  const service = useServiceInfo()
  const [codeAsked, setCodeAsked] = useState(false)
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { email: '', password: '' },
    schema: signInSchema,
    // After a sign-in, here or in another tab, the route's own check redirects to next.
    submit: (values) =>
      signIn(given(values)).catch((thrown: unknown) => {
        if (!hasCode(thrown, 'SECOND_FACTOR_REQUIRED')) throw thrown
        startTransition(() => setCodeAsked(true)) // this form stays until the next one has been loaded
      }),
  })
  if (codeAsked) {
    return (
      <Suspense>
        <CodeStep given={given(form.values)} onBack={() => setCodeAsked(false)} />
      </Suspense>
    )
  }
  return (
    <AuthPage
      title={t('signIn')}
      tagline={t('tagline')}
      foot={
        <>
          {service.data?.signUpOpen !== false && (
            <Text>
              {t('noAccount')}{' '}
              <AppLink to="/signup" search={{ next }} underline="always">
                {t('signUp')}
              </AppLink>
            </Text>
          )}
          <AppLink to="/developers" underline="always">
            {t('apiDocs')}
          </AppLink>
        </>
      }
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="md">
          {reason && (
            <Alert role="status" py="xs">
              {t(`reason.${reason}`)}
            </Alert>
          )}
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="username"
            autoFocus
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <PasswordField label={t('password')} key={form.key('password')} {...form.getInputProps('password')} />
          <FormError error={error} onClose={clearError} />
          <Button type="submit" loading={pending}>
            {t('signIn')}
          </Button>
          {service.data?.mail ? (
            <AppLink to="/forgot" size="md" underline="always">
              {t('forgotten')}
            </AppLink>
          ) : (
            <Forgotten contact={service.data?.supportContact} />
          )}
        </Stack>
      </form>
    </AuthPage>
  )
}

const given = ({ email, password }: { email: string; password: string }) => ({ email: email.trim(), password })

function Forgotten({ contact }: { contact: string | undefined }) {
  const { t } = useTranslation('auth')
  const [opened, { toggle }] = useDisclosure(false)
  return (
    <div>
      <UnstyledButton
        type="button"
        onClick={toggle}
        aria-expanded={opened}
        c="var(--accent-text)"
        fz="md"
        td="underline"
      >
        {t('forgotten')}
      </UnstyledButton>
      <Collapse expanded={opened}>
        <Text mt={4}>
          {t('forgottenHelp')} {contact ? <OperatorText text={contact} /> : t('askOperator')}
        </Text>
      </Collapse>
    </div>
  )
}
