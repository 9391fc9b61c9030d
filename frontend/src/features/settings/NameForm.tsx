import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { accountName, refreshViewer } from '@/features/auth'
import { gql } from '@/shared/gql'
import { FormError, notifyDone, useApiForm } from '@/shared/ui'
import { UpdateAccountDocument } from './queries'

const schema = z.object({ name: accountName })

export function NameForm({ name: current }: { name: string }) {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { name: current },
    schema,
    submit: async (values) => {
      const { updateAccount } = await gql(UpdateAccountDocument, { input: { name: values.name.trim() } })
      await refreshViewer(queryClient)
      form.setValues({ name: updateAccount.account.name })
      notifyDone(t('nameSaved'))
    },
  })
  const unchanged = form.values.name.trim() === current
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm" maw={380}>
        <TextInput label={t('name')} autoComplete="name" key={form.key('name')} {...form.getInputProps('name')} />
        <FormError error={error} onClose={clearError} />
        <Group>
          <Button type="submit" loading={pending} {...(unchanged && { variant: 'default', disabled: true })}>
            {t('saveName')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
