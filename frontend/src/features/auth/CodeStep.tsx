import { Button, Stack, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormError, useApiForm } from '@/shared/ui'
import { AuthPage } from './AuthPage'
import { signIn } from './actions'
import { CodeField } from './CodeField'
import { codeSchema } from './schemas'
import { wrongCodeAt } from './wrongProof'

type Props = {
  /** What the first step took. */
  given: { email: string; password: string }
  onBack: () => void
}

/** The second step of signing in. Loaded when a code is asked for. */
export default function CodeStep({ given, onBack }: Props) {
  const { t } = useTranslation('auth')
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { code: '' },
    schema: codeSchema,
    submit: ({ code }) => signIn({ ...given, code: code.trim() }).catch(wrongCodeAt('code', 'SECOND_FACTOR_REQUIRED')),
  })
  return (
    <AuthPage
      title={t('code.title')}
      foot={
        <UnstyledButton type="button" onClick={onBack} c="var(--accent-text)" fz="md" td="underline">
          {t('code.back')}
        </UnstyledButton>
      }
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="md">
          <CodeField autoFocus key={form.key('code')} {...form.getInputProps('code')} />
          <FormError error={error} onClose={clearError} />
          <Button type="submit" loading={pending}>
            {t('signIn')}
          </Button>
        </Stack>
      </form>
    </AuthPage>
  )
}
