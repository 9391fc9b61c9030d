import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink, FormError, useApiForm } from '@/shared/ui'
import { AuthPage } from './AuthPage'
import { undoEmailChange } from './links'
import { useLink } from './useLink'

/** Brings a former address back by a link. Opening it uses nothing up, as with ResetPage. */
export function UndoAddressPage() {
  const { t } = useTranslation('auth')
  const { token } = useLink()
  const [done, setDone] = useState(false)
  return (
    <AuthPage
      title={t('undo.title')}
      foot={
        <AppLink to={done ? '/forgot' : '/login'} underline="always">
          {t(done ? 'undo.password' : 'signIn')}
        </AppLink>
      }
    >
      {done ? (
        <Alert role="status">{t('undo.done')}</Alert>
      ) : token ? (
        <UndoForm token={token} onDone={() => setDone(true)} />
      ) : (
        <Alert color="yellow">{t('reset.incomplete')}</Alert>
      )}
    </AuthPage>
  )
}

function UndoForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation('auth')
  const { onSubmit, pending, error, clearError } = useApiForm({
    initialValues: {},
    submit: async () => {
      await undoEmailChange({ token })
      onDone()
    },
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Text>{t('undo.text')}</Text>
        <FormError error={error} onClose={clearError} />
        <Button type="submit" loading={pending}>
          {t('undo.submit')}
        </Button>
      </Stack>
    </form>
  )
}
