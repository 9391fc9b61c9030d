import { List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { PasswordField, wrongPasswordAt } from '@/features/auth'
import { gql, session } from '@/shared/gql'
import { Dialog, DialogForm, notifyDone, required, useApiForm } from '@/shared/ui'
import { DeleteAccountDocument } from './queries'

const schema = z.object({ password: z.string().check(required()) })

/** Says what is deleted with the account, and asks for the password. Loaded on first use. */
export default function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings')
  const api = useApiForm({
    initialValues: { password: '' },
    schema,
    submit: async (input) => {
      await gql(DeleteAccountDocument, { input }).catch(wrongPasswordAt('password'))
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
      </DialogForm>
    </Dialog>
  )
}
