import { Button, Group, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { CreateAccountTokenInput } from '@/gql/graphql'
import { dayMs, serverNow } from '@/shared/time'
import { atMost, FormError, required, useApiForm } from '@/shared/ui'

const roles = ['VIEWER', 'EDITOR'] as const
/** Lifetimes of a token in days. A year is the service's default, so it is not sent. */
const days = { month: 30, quarter: 90, year: undefined } as const
const spans = ['month', 'quarter', 'year'] as const

const schema = z.object({
  name: z.string().check(z.trim(), required(), atMost(100)),
  role: z.enum(roles),
  span: z.enum(spans),
})

type Values = { name: string; role: (typeof roles)[number]; span: (typeof spans)[number] }

const endOf = (span: Values['span']) => {
  const count = days[span]
  return count && new Date(serverNow() + count * dayMs).toISOString()
}

/** A form for the name, role and lifetime of a token. */
export function NewToken({ create }: { create: (input: CreateAccountTokenInput) => Promise<void> }) {
  const { t } = useTranslation('developers')
  const { form, onSubmit, pending, error, clearError } = useApiForm<Values>({
    initialValues: { name: '', role: 'VIEWER', span: 'year' },
    schema,
    submit: ({ name, role, span }) => create({ name: name.trim(), role, expiresAt: endOf(span) }),
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm" maw={380}>
        <TextInput
          label={t('tokenName')}
          placeholder={t('tokenNamePlaceholder')}
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <Radio.Group label={t('tokenRole')} {...form.getInputProps('role')}>
          <Group gap="md" mt={4}>
            {roles.map((role) => (
              <Radio key={role} value={role} label={t(`tokenRoles.${role}`)} />
            ))}
          </Group>
        </Radio.Group>
        <Select
          label={t('tokenEnds')}
          data={spans.map((value) => ({ value, label: t(`tokenSpans.${value}`) }))}
          allowDeselect={false}
          {...form.getInputProps('span')}
        />
        <FormError error={error} onClose={clearError} />
        <Group>
          <Button type="submit" loading={pending}>
            {t('makeToken')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
