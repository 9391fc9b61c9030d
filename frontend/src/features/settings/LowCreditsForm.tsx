import { Button, Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { viewerQuery } from '@/features/auth'
import { gql } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { CountField, FormError, notifyDone, useApiForm } from '@/shared/ui'
import { notificationsQuery, SetLowCreditsDocument } from './queries'

const isCount = (value: number | string) => Number.isSafeInteger(value) && Number(value) >= 1

const schema = z.object({
  lowCreditsAt: z.union([z.number(), z.string()]).check(
    z.refine<number | string>((value) => value === '' || isCount(value), {
      error: () => i18n.t('settings:notifications.range'),
    }),
  ),
})

/** At how many credits the owners are told. Empty is never. */
export function LowCreditsForm({ current }: { current: number | undefined }) {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { lowCreditsAt: (current ?? '') as number | string },
    schema,
    submit: async ({ lowCreditsAt }) => {
      await gql(SetLowCreditsDocument, { input: { lowCreditsAt: lowCreditsAt === '' ? null : Number(lowCreditsAt) } })
      await Promise.all(
        [notificationsQuery, viewerQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
      )
      notifyDone(t('notifications.saved'))
    },
  })
  const unchanged = form.values.lowCreditsAt === (current ?? '')
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm" maw={380}>
        <CountField
          label={t('notifications.lowCreditsAt')}
          description={t('notifications.help')}
          key={form.key('lowCreditsAt')}
          {...form.getInputProps('lowCreditsAt')}
        />
        <FormError error={error} onClose={clearError} />
        <Group>
          <Button type="submit" loading={pending} {...(unchanged && { variant: 'default', disabled: true })}>
            {t('notifications.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
