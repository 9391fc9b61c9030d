import { Alert, Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink, FormError, QueryView, useApiForm } from '@/shared/ui'
import { AuthPage } from './AuthPage'
import { LeftBehind } from './LeftBehind'
import { resetPassword, resetQuery } from './links'
import { PasswordField } from './PasswordField'
import { resetSchema } from './schemas'
import { useLink } from './useLink'

type Done = Awaited<ReturnType<typeof resetPassword>>

/** Sets a new password by a link. Opening it uses nothing up: programs that look for harm in mail open links, too. */
export function ResetPage() {
  const { t } = useTranslation('auth')
  const [done, setDone] = useState<Done>()
  const { token } = useLink()
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
        <>
          <Alert role="status">{t('reset.done')}</Alert>
          {done.leftBehind && <LeftBehind left={done.leftBehind} />}
        </>
      ) : token ? (
        <Link token={token} onDone={setDone} />
      ) : (
        <Alert color="yellow">{t('reset.incomplete')}</Alert>
      )}
    </AuthPage>
  )
}

type LinkProps = { token: string; onDone: (done: Done) => void }

/** Says at once if the link does not work any more, before a password is thought up. */
function Link(props: LinkProps) {
  const { t } = useTranslation('auth')
  const works = useQuery(resetQuery(props.token))
  return (
    <QueryView query={works}>
      {(good) => (good ? <ResetForm {...props} /> : <Alert color="yellow">{t('reset.dead')}</Alert>)}
    </QueryView>
  )
}

function ResetForm({ token, onDone }: LinkProps) {
  const { t } = useTranslation('auth')
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { newPassword: '' },
    schema: resetSchema,
    submit: async ({ newPassword }) => onDone(await resetPassword({ token, newPassword })),
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
