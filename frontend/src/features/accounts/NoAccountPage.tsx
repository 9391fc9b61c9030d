import { Button, Stack, Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AuthPage, OperatorText, signOut, useServiceInfo } from '@/features/auth'
import { FormError, notifyError, QueryView } from '@/shared/ui'
import { NewAccountName, useNewAccount } from './NewAccountForm'

/** Stands in for every page while the user has no account: they were removed from the last one, or left it. */
export default function NoAccountPage() {
  const { t } = useTranslation('members')
  const service = useServiceInfo()
  return (
    <AuthPage
      title={t('account.none')}
      foot={
        <UnstyledButton
          type="button"
          onClick={() => signOut().catch(notifyError)}
          c="var(--accent-text)"
          fz="md"
          td="underline"
        >
          {t('invitation.signOut')}
        </UnstyledButton>
      }
    >
      <QueryView query={service}>
        {({ signUpOpen, supportContact }) =>
          signUpOpen ? (
            <NewAccount />
          ) : (
            <Text>
              {t('account.ask')} <OperatorText text={supportContact} />
            </Text>
          )
        }
      </QueryView>
    </AuthPage>
  )
}

function NewAccount() {
  const { t } = useTranslation('members')
  const api = useNewAccount()
  return (
    <form onSubmit={api.onSubmit} noValidate>
      <Stack gap="md">
        <Text>{t('account.noneText')}</Text>
        <NewAccountName api={api} />
        <FormError error={api.error} onClose={api.clearError} />
        <Button type="submit" loading={api.pending}>
          {t('account.create')}
        </Button>
      </Stack>
    </form>
  )
}
