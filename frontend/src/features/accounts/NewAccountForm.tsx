import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { accountName } from '@/features/auth'
import { switchAccount } from '@/shared/gql'
import { useApiForm } from '@/shared/ui'
import { createAccount } from './queries'

const schema = z.object({ name: accountName })

/** The form that opens another account and switches to it. */
export function useNewAccount() {
  return useApiForm({
    initialValues: { name: '' },
    schema,
    submit: async ({ name }) => switchAccount(await createAccount(name.trim())),
  })
}

export function NewAccountName({ api: { form } }: { api: ReturnType<typeof useNewAccount> }) {
  const { t } = useTranslation('members')
  return (
    <TextInput
      label={t('account.name')}
      description={t('account.nameText')}
      data-autofocus
      key={form.key('name')}
      {...form.getInputProps('name')}
    />
  )
}
