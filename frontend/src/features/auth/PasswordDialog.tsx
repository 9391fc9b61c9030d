import { Text } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { graphql } from '@/gql'
import { gql, session } from '@/shared/gql'
import { Dialog, DialogForm, required, useApiForm } from '@/shared/ui'
import { PasswordField } from './PasswordField'
import { wrongPasswordAt } from './wrongPassword'

const ConfirmPasswordDocument = graphql(`
  mutation ConfirmPassword($input: ConfirmPasswordInput!) {
    confirmPassword(input: $input) {
      ok
    }
  }
`)

const schema = z.object({ password: z.string().check(required()) })

/** How long after Cancel the pressed button can be pressed again, and so focused. */
const enabledMs = 50

type Props = {
  /** What had the focus when the request was sent. */
  asked: EventTarget | null
  /** Where to leave what Escape does. */
  onEscape: { close?: () => void }
  onClose: (confirmed: boolean) => void
}

/** Asks for the password, over whatever is open. Loaded on first use. */
export default function PasswordDialog({ asked, onEscape, onClose }: Props) {
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
    initialValues: { password: '' },
    schema,
    submit: async (input) => {
      await gql(ConfirmPasswordDocument, { input }).catch(wrongPasswordAt('password'))
      onClose(true)
    },
  })
  const { form } = api
  return (
    <Dialog onClose={cancel} title={t('confirm.title')} zIndex={300} closeOnEscape={false}>
      <DialogForm api={api} submitLabel={t('confirm.submit')} onCancel={cancel}>
        <Text>{t('confirm.text')}</Text>
        <PasswordField
          label={t('confirm.password')}
          data-autofocus
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
      </DialogForm>
    </Dialog>
  )
}
