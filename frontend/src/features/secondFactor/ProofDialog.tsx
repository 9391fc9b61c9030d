import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { CodeField, code, PasswordField } from '@/features/auth'
import { Dialog, DialogForm, required, useApiForm } from '@/shared/ui'

const schema = z.object({ password: z.string().check(required()), code })

type Props = {
  title: string
  text: string
  submitLabel: string
  danger?: boolean
  submit: (proof: { password: string; code: string }) => Promise<unknown>
  onClose: () => void
}

/** Asks for the password and a code, and does what it is for. Stays open until that is done, and shows its error. */
export function ProofDialog({ title, text, submitLabel, danger, submit, onClose }: Props) {
  const { t } = useTranslation('secondFactor')
  const api = useApiForm({
    initialValues: { password: '', code: '' },
    schema,
    submit: async (given) => {
      await submit({ ...given, code: given.code.trim() })
      onClose()
    },
  })
  const { form } = api
  return (
    <Dialog onClose={() => !api.pending && onClose()} title={title}>
      <DialogForm api={api} submitLabel={submitLabel} danger={danger} onCancel={onClose}>
        <Text>{text}</Text>
        <PasswordField
          label={t('password')}
          data-autofocus
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <CodeField key={form.key('code')} {...form.getInputProps('code')} />
      </DialogForm>
    </Dialog>
  )
}
