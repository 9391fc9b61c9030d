import { Text } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { graphql } from '@/gql'
import { gql, session } from '@/shared/gql'
import { Dialog, DialogForm, required, useApiForm } from '@/shared/ui'
import { CodeField } from './CodeField'
import { PasswordField } from './PasswordField'
import { wrongCodeAt, wrongPasswordAt } from './wrongProof'

const ConfirmPasswordDocument = graphql(`
  mutation ConfirmPassword($input: ConfirmPasswordInput!) {
    confirmPassword(input: $input) {
      ok
    }
  }
`)

const schema = z.object({ proof: z.string().check(required()) })

/** How long after Cancel the pressed button can be pressed again, and so focused. */
const enabledMs = 50

type Props = {
  /** Whether the proof is a code instead of the password. */
  byCode: boolean
  /** What had the focus when the request was sent. */
  asked: EventTarget | null
  /** Where to leave what Escape does. */
  onEscape: { close?: () => void }
  onClose: (confirmed: boolean) => void
}

/** Asks for the password, or for a code where a second factor is on, over whatever is open. Loaded on first use. */
export default function PasswordDialog({ byCode, asked, onEscape, onClose }: Props) {
  const { t } = useTranslation('auth')
  const cancel = () => onClose(false)
  useEffect(() => {
    onEscape.close = cancel
    const leave = session.subscribe(cancel) // the request was of a sign-in that is no longer this browser's
    return () => {
      onEscape.close = undefined
      leave()
    }
  })
  useEffect(
    () => () => {
      setTimeout(() => {
        const nowhere = document.activeElement === document.body
        if (nowhere && asked instanceof HTMLElement) asked.focus({ preventScroll: true })
      }, enabledMs)
    },
    [asked],
  )
  const api = useApiForm({
    initialValues: { proof: '' },
    schema,
    submit: async ({ proof }) => {
      const input = byCode ? { code: proof.trim() } : { password: proof }
      const refused = byCode ? wrongCodeAt('proof', 'INVALID_CREDENTIALS') : wrongPasswordAt('proof')
      await gql(ConfirmPasswordDocument, { input }).catch(refused)
      onClose(true)
    },
  })
  const { form } = api
  const field = { 'data-autofocus': true, ...form.getInputProps('proof') }
  return (
    <Dialog
      onClose={cancel}
      title={t(byCode ? 'confirm.codeTitle' : 'confirm.title')}
      zIndex={300}
      closeOnEscape={false}
    >
      <DialogForm api={api} submitLabel={t('confirm.submit')} onCancel={cancel}>
        <Text>{t(byCode ? 'confirm.codeText' : 'confirm.text')}</Text>
        {byCode ? <CodeField {...field} /> : <PasswordField label={t('confirm.password')} {...field} />}
      </DialogForm>
    </Dialog>
  )
}
