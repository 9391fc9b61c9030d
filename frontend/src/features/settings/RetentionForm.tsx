import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { gql } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { CountField, FormError, notifyDone, useApiForm } from '@/shared/ui'
import { keptDataQuery, retentionPreviewQuery, SetRetentionDocument } from './queries'

/** The longest retention that the service takes, in days. */
const longest = 36_500
/** How long the field must rest before conversations are counted. */
const countAfterMs = 300

type Days = number | string

const isFrom1To = (limit: number, value: Days) =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= limit

/** After how many days conversations are deleted. Empty is the service's limit. What a change would delete at once is counted before it can be saved. */
export function RetentionForm({ current, service }: { current: number | undefined; service: number | undefined }) {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const warningId = useId()
  const limit = service ?? longest
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: { retentionDays: (current ?? '') as Days },
    schema: z.object({
      retentionDays: z.union([z.number(), z.string()]).check(
        z.refine<Days>((value) => value === '' || isFrom1To(limit, value), {
          error: () => i18n.t('settings:retention.range', { limit }),
        }),
      ),
    }),
    submit: async ({ retentionDays }) => {
      await gql(SetRetentionDocument, { input: { retentionDays: retentionDays === '' ? null : Number(retentionDays) } })
      await queryClient.invalidateQueries({ queryKey: keptDataQuery.queryKey })
      notifyDone(t('retention.saved'))
    },
  })
  const days = form.values.retentionDays
  const [rested] = useDebouncedValue(days, countAfterMs)
  const shorter = isFrom1To(limit, days) && (current === undefined || Number(days) < current)
  const preview = useQuery({ ...retentionPreviewQuery(Number(days)), enabled: shorter && rested === days && !pending })
  const counted = shorter ? preview.data?.viewer.retentionPreview : undefined
  const unknown = shorter && !counted
  const deletes = counted !== undefined && counted !== null && counted.conversations > 0
  const unchanged = days === (current ?? '')
  const send = (event: FormEvent<HTMLFormElement>) => {
    if (unknown) event.preventDefault()
    else onSubmit(event)
  }
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="sm" maw={380}>
        <div>
          <CountField
            label={t('retention.days')}
            description={[
              t('retention.help'),
              service === undefined ? t('retention.unlimited') : t('retention.service', { count: service }),
            ].join(' ')}
            key={form.key('retentionDays')}
            {...form.getInputProps('retentionDays')}
          />
          <div role="status" id={warningId}>
            {unknown && !preview.isError && (
              <Text c="dimmed" mt="sm">
                {t('retention.counting')}
              </Text>
            )}
            {unknown && preview.isError && (
              <Alert color="red" py="xs" mt="sm">
                <Group justify="space-between" gap="xs">
                  {t('retention.failed')}
                  <Button
                    size="xs"
                    variant="default"
                    loading={preview.isFetching}
                    onClick={() => void preview.refetch()}
                  >
                    {t('error.retry', { ns: 'common' })}
                  </Button>
                </Group>
              </Alert>
            )}
            {deletes && (
              <Alert color="red" py="xs" mt="sm">
                {t(counted.more ? 'retention.more' : 'retention.older', { count: counted.conversations })}
              </Alert>
            )}
          </div>
        </div>
        <FormError error={error} onClose={clearError} />
        <Group>
          <Button
            type="submit"
            loading={pending}
            aria-describedby={deletes ? warningId : undefined}
            {...(deletes && { color: 'red' })}
            {...((unchanged || unknown) && { variant: 'default', disabled: true })}
          >
            {deletes ? t('retention.saveAndDelete') : t('save', { ns: 'common' })}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
