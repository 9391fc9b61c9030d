import { Button, Group, List, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { wrongPasswordAt } from '@/features/auth'
import { gql, session } from '@/shared/gql'
import { FormError, notifyDone, required, useApiForm, useFocusReturn } from '@/shared/ui'
import { DeleteAccountDocument } from './queries'

const schema = z.object({ password: z.string().check(required()) })

/** Says what is deleted with the account, and asks for the password. Loaded on first use. */
export default function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings')
  const { t: tAuth } = useTranslation('auth')
  useFocusReturn()
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { password: '' },
    schema,
    submit: async (input) => {
      await gql(DeleteAccountDocument, { input }).catch(wrongPasswordAt('password'))
      session.signedOut() // leads to the sign-in page, where the notice stays visible
      notifyDone(t('deleted'), { stays: true })
    },
  })
  return (
    <Modal
      opened
      onClose={() => !pending && onClose()}
      title={t('deleteTitle')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="md">
          <Text>{t('deleteIntro')}</Text>
          <List>
            <List.Item>{t('deleteKeys')}</List.Item>
            <List.Item>{t('deleteData')}</List.Item>
            <List.Item>{t('deleteCredits')}</List.Item>
          </List>
          <Text c="dimmed">{t('deleteLedger')}</Text>
          <PasswordInput
            label={t('confirmPassword')}
            autoComplete="current-password"
            data-autofocus
            visibilityToggleButtonProps={{ 'aria-label': tAuth('showPassword') }}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <FormError error={error} onClose={clearError} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={pending}>
              {t('cancel', { ns: 'common' })}
            </Button>
            <Button type="submit" color="red" loading={pending}>
              {t('deleteAccount')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
