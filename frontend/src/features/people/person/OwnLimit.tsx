import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { formatNumber } from '@/shared/format'
import { gql } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { AppLink, CountField, FormError, notifyDone, useApiForm } from '@/shared/ui'
import { SetEndUserLimitDocument } from '../queries'
import type { Person } from './Figures'

const most = 1_000_000

const schema = z.object({
  dailyMessageLimit: z
    .union([z.number(), z.string()])
    .check(
      z.refine<number | string>(
        (value) => value === '' || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most),
        { error: () => i18n.t('limitRange', { ns: 'people' }) },
      ),
    ),
})

/** An end user's own limit, next to today's count. */
export function OwnLimit({ person }: { person: Person }) {
  const { t } = useTranslation('people')
  const { userId, dailyMessageLimit: own, messagesToday, nearestExportLimit: nearest } = person
  const queryClient = useQueryClient()
  const { form, onSubmit, pending, error, clearError } = useApiForm<{ dailyMessageLimit: number | string }>({
    initialValues: { dailyMessageLimit: own ?? '' },
    schema,
    submit: async ({ dailyMessageLimit }) => {
      const limit = dailyMessageLimit === '' ? null : Number(dailyMessageLimit)
      await gql(SetEndUserLimitDocument, { input: { userId, dailyMessageLimit: limit } })
      form.resetDirty()
      void queryClient.invalidateQueries({ queryKey: ['people'] })
      await queryClient.invalidateQueries({ queryKey: ['person'] })
      void notifyDone(t(limit === null ? 'limitCleared' : 'limitSaved'))
    },
  })
  return (
    <section aria-label={t('limits')}>
      <Title order={2} mb="xs">
        {t('limits')}
      </Title>
      <Paper p="md">
        <form onSubmit={onSubmit} noValidate>
          <Stack gap="sm">
            <CountField
              label={t('ownLimit')}
              description={t('ownLimitHelp')}
              placeholder={t('noLimit')}
              max={most}
              key={form.key('dailyMessageLimit')}
              {...form.getInputProps('dailyMessageLimit')}
            />
            <Text size="sm" className="panel-numbers">
              {own == null
                ? t('sentToday', { count: messagesToday, amount: formatNumber(messagesToday) })
                : t('usedToday', { used: formatNumber(messagesToday), limit: formatNumber(own) })}{' '}
              <Text span inherit c="dimmed">
                {t('startsAgain')}
              </Text>
            </Text>
            {nearest && (
              <Text size="sm" className="panel-numbers">
                {t('byExport', {
                  used: formatNumber(nearest.messagesToday),
                  limit: formatNumber(nearest.dailyMessageLimit),
                })}{' '}
                {nearest.export && (
                  <AppLink to="/exports/$id" params={{ id: nearest.export.id }} inherit className="panel-user-text">
                    {nearest.export.name}
                  </AppLink>
                )}
              </Text>
            )}
            <FormError error={error} onClose={clearError} />
            <Group gap="xs">
              <Button type="submit" loading={pending} disabled={!form.isDirty()}>
                {t('save', { ns: 'common' })}
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </section>
  )
}
