import { Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { CodeField, code, PasswordField, proofOf, useSecondFactor, wrongProofAt } from '@/features/auth'
import { gql } from '@/shared/gql'
import { Dialog, DialogForm, notifyDone, required, useApiForm } from '@/shared/ui'
import { ChangeEmailDocument } from './queries'

const newEmail = z.string().check(z.trim(), required())
const password = z.string().check(required())
const schema = z.object({ newEmail, password, code: z.string() })
const schemaWithCode = z.object({ newEmail, password, code })

type Props = {
  /** Whether the service sends mail: else the address changes at once. */
  mail: boolean
  onMailed: (email: string) => void
  onClose: () => void
}

/** Asks for the new address and a proof. Loaded on first use. */
export default function ChangeAddressDialog({ mail, onMailed, onClose }: Props) {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const withCode = useSecondFactor()
  const api = useApiForm({
    initialValues: { newEmail: '', password: '', code: '' },
    schema: withCode ? schemaWithCode : schema,
    submit: async (values) => {
      const input = proofOf({ ...values, newEmail: values.newEmail.trim() }, withCode)
      await gql(ChangeEmailDocument, { input }).catch(wrongProofAt('password', withCode))
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
        {withCode && <CodeField key={form.key('code')} {...form.getInputProps('code')} />}
      </DialogForm>
    </Dialog>
  )
}
