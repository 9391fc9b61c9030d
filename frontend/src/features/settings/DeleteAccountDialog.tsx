import { List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import {
  CodeField,
  code,
  PasswordField,
  proofOf,
  useSecondFactor,
  useSeveralAccounts,
  wrongProofAt,
} from '@/features/auth'
import { forgetAccount, gql, page, session } from '@/shared/gql'
import { Dialog, DialogForm, notifyDone, required, useApiForm } from '@/shared/ui'
import { DeleteAccountDocument } from './queries'

const password = z.string().check(required())
const schema = z.object({ password, code: z.string() })
const schemaWithCode = z.object({ password, code })

/** Says what is deleted with the account, and asks for the password, and a code where a second factor is on. Loaded on first use. */
export default function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings')
  const withCode = useSecondFactor()
  const others = useSeveralAccounts()
  const api = useApiForm({
    initialValues: { password: '', code: '' },
    schema: withCode ? schemaWithCode : schema,
    submit: async (values) => {
      await gql(DeleteAccountDocument, { input: proofOf(values, withCode) }).catch(wrongProofAt('password', withCode))
      if (others) {
        forgetAccount()
        page.load('/')
        return
      }
      session.signedOut() // leads to the sign-in page, where the notice stays visible
      notifyDone(t('deleted'), { stays: true })
    },
  })
  const { form } = api
  return (
    <Dialog onClose={() => !api.pending && onClose()} title={t('deleteTitle')}>
      <DialogForm api={api} submitLabel={t('deleteAccount')} danger onCancel={onClose}>
        <Text>{t('deleteIntro')}</Text>
        <List>
          <List.Item>{t('deleteKeys')}</List.Item>
          <List.Item>{t('deleteData')}</List.Item>
          <List.Item>{t('deleteCredits')}</List.Item>
        </List>
        <Text c="dimmed">{t('deleteLedger')}</Text>
        <PasswordField
          label={t('confirmPassword')}
          data-autofocus
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        {withCode && <CodeField key={form.key('code')} {...form.getInputProps('code')} />}
      </DialogForm>
    </Dialog>
  )
}
