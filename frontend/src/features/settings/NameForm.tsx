import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { accountName } from '@/features/auth'
import { FormError, notifyDone, useApiForm } from '@/shared/ui'

const schema = z.object({ name: accountName })

/** A name of the account or the user; `save` returns it as it was stored. */
type Props = { current: string; save: (name: string) => Promise<string>; label?: string; 'aria-label'?: string }

export function NameForm({ current, save, ...field }: Props) {
  const { t } = useTranslation('settings')
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { name: current },
    schema,
    submit: async (values) => {
      form.setValues({ name: await save(values.name.trim()) })
      notifyDone(t('nameSaved'))
    },
  })
  const unchanged = form.values.name.trim() === current
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm" maw={380}>
        <TextInput {...field} autoComplete="name" key={form.key('name')} {...form.getInputProps('name')} />
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
