import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { VersionSelect } from '@/features/versions'
import { gql } from '@/shared/gql'
import { CountField, FormError, useApiForm } from '@/shared/ui'
import { applyToExport, type Export } from '../page/queries'
import { priceOf } from '../periods'
import { refreshExports, UpdateApiExportDocument } from '../queries'
import { changesOf, exportSchema, maxRate, valuesOf } from './exportForm'
import { LimitFields } from './LimitFields'

/** Edits an export's name, rate limit, version, expiry and limits in place. Escape closes the form. */
export function EditExport({ row, onClose }: { row: Export; onClose: () => void }) {
  const { t } = useTranslation('exports')
  const queryClient = useQueryClient()
  const [before] = useState(() => valuesOf(row))
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: before,
    schema: exportSchema,
    submit: async (values) => {
      const { updateApiExport } = await gql(UpdateApiExportDocument, {
        input: { id: row.id, ...changesOf(values, before) },
      })
      applyToExport(queryClient, updateApiExport.export)
      refreshExports(queryClient)
      onClose()
    },
  })
  const { version } = form.values
  const published = row.agent.publishedVersion
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens
  useEffect(() => form.getInputNode('name')?.focus(), [])
  const leaveByEscape = (event: KeyboardEvent) => {
    // An open list of choices takes Escape for itself.
    if (event.key !== 'Escape' || event.currentTarget.getAttribute('aria-expanded') === 'true') return
    onClose()
  }
  const stays = { onKeyDown: leaveByEscape }
  return (
    <form onSubmit={onSubmit} noValidate aria-label={t('editOf', { name: row.name })}>
      <Stack gap="sm">
        <TextInput label={t('name')} key={form.key('name')} {...form.getInputProps('name')} {...stays} />
        <CountField
          label={t('rate')}
          description={t('rateHelp')}
          max={maxRate}
          key={form.key('rateLimitPerMinute')}
          {...form.getInputProps('rateLimitPerMinute')}
          {...stays}
        />
        <VersionSelect
          agentId={row.agent.id}
          label={t('version')}
          none={published ? t('followsNow', { number: published.number }) : t('follows')}
          value={version}
          onChange={(version) => form.setFieldValue('version', version)}
          error={form.errors.version}
          {...stays}
        />
        <TextInput
          type="datetime-local"
          label={t('expires')}
          description={t('expiresHelp')}
          key={form.key('expiresAt')}
          {...form.getInputProps('expiresAt')}
          {...stays}
        />
        <LimitFields form={form} price={priceOf(published, version ? Number(version) : null)} stays={stays} />
        <FormError error={error} onClose={clearError} />
        <Group gap="xs">
          <Button type="submit" loading={pending}>
            {t('save', { ns: 'common' })}
          </Button>
          <Button variant="default" onClick={onClose} {...stays}>
            {t('cancel', { ns: 'common' })}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
