import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { VersionSelect } from '@/features/versions'
import { gql } from '@/shared/gql'
import { CountField, Dialog, FormError, useApiForm } from '@/shared/ui'
import classes from '../page/Export.module.css'
import { applyToExport, type Export } from '../page/queries'
import { priceOf } from '../periods'
import { refreshExports, UpdateApiExportDocument } from '../queries'
import { changesOf, exportSchema, maxRate, valuesOf } from './exportForm'
import { LimitFields } from './LimitFields'
import { MomentField } from './MomentField'

/** Edits an export's name, version, expiry, rate limit and limits. */
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
  return (
    <Dialog onClose={() => !pending && onClose()} size={720} title={t('editOf', { name: row.name })}>
      <form onSubmit={onSubmit} noValidate>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" pb="md">
          <Stack gap="sm">
            <TextInput label={t('name')} data-autofocus key={form.key('name')} {...form.getInputProps('name')} />
            <VersionSelect
              agentId={row.agent.id}
              label={t('version')}
              none={published ? t('followsNow', { number: published.number }) : t('follows')}
              value={version}
              onChange={(version) => form.setFieldValue('version', version)}
              error={form.errors.version}
            />
            <MomentField
              label={t('expires')}
              description={t('expiresHelp')}
              key={form.key('expiresAt')}
              {...form.getInputProps('expiresAt')}
            />
            <CountField
              label={t('rate')}
              description={t('rateHelp')}
              max={maxRate}
              key={form.key('rateLimitPerMinute')}
              {...form.getInputProps('rateLimitPerMinute')}
            />
          </Stack>
          <LimitFields form={form} price={priceOf(published, version ? Number(version) : null)} />
        </SimpleGrid>
        <Stack gap="sm" className={classes.foot}>
          <FormError error={error} onClose={clearError} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={pending}>
              {t('cancel', { ns: 'common' })}
            </Button>
            <Button type="submit" loading={pending}>
              {t('save', { ns: 'common' })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
