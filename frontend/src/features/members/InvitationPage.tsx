import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { AuthPage, accountName, newPassword, PasswordField, signIn, signOut, useLink } from '@/features/auth'
import { switchAccount } from '@/shared/gql'
import { formatMoment } from '@/shared/time'
import { AppLink, ButtonLink, FormError, notifyError, QueryView, useApiForm } from '@/shared/ui'
import { join, joinAsNew, myAddressQuery, type Preview, previewQuery } from './queries'

/** Joins an account by a link. Opening it uses nothing up, as with ResetPage. */
export function InvitationPage() {
  const { t } = useTranslation(['members', 'auth'])
  const { token } = useLink()
  const preview = useQuery({ ...previewQuery(token), enabled: token !== '' })
  const account = preview.data?.accountName
  return (
    <AuthPage
      title={account === undefined ? t('invitation.title') : t('invitation.join', { name: account })}
      foot={
        <AppLink to="/" underline="always">
          {t('invitation.panel')}
        </AppLink>
      }
    >
      {token ? (
        <QueryView query={preview}>
          {(found) =>
            found ? <Invited token={token} preview={found} /> : <Alert color="yellow">{t('invitation.dead')}</Alert>
          }
        </QueryView>
      ) : (
        <Alert color="yellow">{t('auth:reset.incomplete')}</Alert>
      )}
    </AuthPage>
  )
}

type Props = { token: string; preview: Preview }

function Invited(props: Props) {
  const { t } = useTranslation(['members', 'common'])
  const me = useQuery(myAddressQuery)
  const { email, role, invitedBy, expiresAt } = props.preview
  const as = { email, role: t(`common:role.${role}`), by: invitedBy }
  return (
    <>
      <Text className="panel-user-text">{t(invitedBy ? 'invitation.by' : 'invitation.byOperator', as)}</Text>
      <Text size="sm" c="dimmed">
        {t(`may.${role}`)} {t('invitation.ends', { time: formatMoment(expiresAt) })}
      </Text>
      <QueryView query={me}>{(mine) => <Way {...props} me={mine} onSignedOut={() => void me.refetch()} />}</QueryView>
    </>
  )
}

/** What is to be done to join: that depends on who is signed in, and on whether the address has a user. */
function Way({ token, preview, me, onSignedOut }: Props & { me: string | null; onSignedOut: () => void }) {
  const { t } = useTranslation('members')
  const { email, known } = preview
  if (me === email) return <JoinForm token={token} />
  if (me !== null)
    return (
      <>
        <Alert color="yellow">{t('invitation.other', { me, email })}</Alert>
        <Button variant="default" onClick={() => signOut().then(onSignedOut, notifyError)}>
          {t('invitation.signOut')}
        </Button>
      </>
    )
  if (!known) return <NewUserForm token={token} email={email} />
  // The token stays in the fragment, which no server sees.
  return (
    <ButtonLink to="/login" search={{ next: '/invitation' }} hash={`token=${token}`}>
      {t('invitation.signIn', { email })}
    </ButtonLink>
  )
}

function JoinForm({ token }: { token: string }) {
  const { t } = useTranslation('members')
  const { onSubmit, pending, error, clearError } = useApiForm({
    initialValues: {},
    submit: async () => switchAccount(await join(token)),
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <FormError error={error} onClose={clearError} />
        <Button type="submit" loading={pending}>
          {t('invitation.submit')}
        </Button>
      </Stack>
    </form>
  )
}

const schema = z.object({ name: accountName, password: newPassword })

function NewUserForm({ token, email }: { token: string; email: string }) {
  const { t } = useTranslation(['members', 'auth'])
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { name: '', password: '' },
    schema,
    submit: async ({ name, password }) => {
      const account = await joinAsNew({ token, name: name.trim(), password })
      await signIn({ email, password })
      switchAccount(account)
    },
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput
          label={t('auth:name')}
          autoComplete="name"
          autoFocus
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordField
          label={t('auth:password')}
          isNew
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <FormError error={error} onClose={clearError} />
        <Button type="submit" loading={pending}>
          {t('invitation.submit')}
        </Button>
      </Stack>
    </form>
  )
}
