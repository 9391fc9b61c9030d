import { Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { PasswordField, wrongPasswordAt } from '@/features/auth'
import { gql } from '@/shared/gql'
import { Dialog, DialogForm, notifyDone, required, useApiForm } from '@/shared/ui'
import { ChangeEmailDocument } from './queries'

const schema = z.object({
  newEmail: z.string().check(z.trim(), required()),
  password: z.string().check(required()),
})

type Props = {
  /** Whether the service sends mail: else the address changes at once. */
  mail: boolean
  onMailed: (email: string) => void
  onClose: () => void
}

/** Asks for the new address and the password. Loaded on first use. */
export default function ChangeAddressDialog({ mail, onMailed, onClose }: Props) {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const api = useApiForm({
    initialValues: { newEmail: '', password: '' },
    schema,
    submit: async ({ newEmail, password }) => {
      const input = { newEmail: newEmail.trim(), password }
      await gql(ChangeEmailDocument, { input }).catch(wrongPasswordAt('password'))
      if (mail) onMailed(input.newEmail)
      else {
        notifyDone(t('address.changed'))
        await queryClient.invalidateQueries()
      }
      onClose()
    },
  })
  const { form } = api
  return (
    <Dialog onClose={() => !api.pending && onClose()} title={t('address.changeTitle')}>
      <DialogForm api={api} submitLabel={t(mail ? 'address.sendLink' : 'address.change')} onCancel={onClose}>
        <Text>{t(mail ? 'address.changeByMail' : 'address.changeAtOnce')}</Text>
        <TextInput
          label={t('address.new')}
          type="email"
          autoComplete="email"
          data-autofocus
          key={form.key('newEmail')}
          {...form.getInputProps('newEmail')}
        />
        <PasswordField label={t('confirmPassword')} key={form.key('password')} {...form.getInputProps('password')} />
      </DialogForm>
    </Dialog>
  )
}
