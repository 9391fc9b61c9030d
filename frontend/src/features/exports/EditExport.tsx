import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { VersionSelect } from '@/features/versions'
import { gql } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { atMost, FormError, required, useApiForm } from '@/shared/ui'
import { type AgentExport, applyToAgent, refreshExports, UpdateApiExportDocument } from './queries'

const maxName = 100
const maxRate = 1_000_000

const schema = z.object({
  name: z.string().check(z.trim(), required(), atMost(maxName)),
  rateLimitPerMinute: z
    .number({ error: () => i18n.t('exports:rateRange') })
    .check(z.int(), z.minimum(1), z.maximum(maxRate, { error: () => i18n.t('exports:rateRange') })),
  // A version's number, or empty to follow the published version.
  version: z.string(),
  // A local date and time, or empty for never.
  expiresAt: z.string(),
})

type Props = { agentId: string; published?: number; row: AgentExport; onClose: () => void }

/** A moment as an input of dates and times has it: in the local time zone, to the minute. */
const toLocal = (moment: string | null | undefined) => {
  if (!moment) return ''
  const date = new Date(moment)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Edits an export's name, rate limit, version and expiry inline. Escape closes the form, not the drawer. */
export function EditExport({ agentId, published, row, onClose }: Props) {
  const { t } = useTranslation('exports')
  const queryClient = useQueryClient()
  const { form, onSubmit, pending, error, clearError } = useApiForm({
    initialValues: {
      name: row.name,
      rateLimitPerMinute: row.rateLimitPerMinute,
      version: row.version == null ? '' : String(row.version),
      expiresAt: toLocal(row.expiresAt),
    },
    schema,
    submit: async ({ name, rateLimitPerMinute, version, expiresAt }) => {
      const { updateApiExport } = await gql(UpdateApiExportDocument, {
        input: {
          id: row.id,
          name: name.trim(),
          rateLimitPerMinute,
          version: version ? Number(version) : null,
          // One that stays as it is may have passed.
          ...(expiresAt !== toLocal(row.expiresAt) && {
            expiresAt: expiresAt ? new Date(expiresAt).toISOString() : null,
          }),
        },
      })
      applyToAgent(queryClient, agentId, updateApiExport.export)
      refreshExports(queryClient)
      onClose()
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens
  useEffect(() => form.getInputNode('name')?.focus(), [])
  const leaveByEscape = (event: KeyboardEvent) => {
    // An open list of choices takes Escape for itself.
    if (event.key !== 'Escape' || event.currentTarget.getAttribute('aria-expanded') === 'true') return
    event.stopPropagation()
    onClose()
  }
  // Mantine's drawer closes on Escape unless the element says that it handles the key.
  const stays = { onKeyDown: leaveByEscape, 'data-mantine-stop-propagation': true }
  return (
    <form onSubmit={onSubmit} noValidate aria-label={t('editOf', { name: row.name })}>
      <Stack gap="sm" py="sm">
        <TextInput label={t('name')} key={form.key('name')} {...form.getInputProps('name')} {...stays} />
        <NumberInput
          label={t('rate')}
          description={t('rateHelp')}
          min={1}
          max={maxRate}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          hideControls
          thousandSeparator=" "
          key={form.key('rateLimitPerMinute')}
          {...form.getInputProps('rateLimitPerMinute')}
          {...stays}
        />
        <VersionSelect
          agentId={agentId}
          label={t('version')}
          none={published ? t('followsNow', { number: published }) : t('follows')}
          value={form.values.version}
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
        <FormError error={error} onClose={clearError} />
        <Group gap="xs">
          <Button type="submit" size="xs" loading={pending}>
            {t('save', { ns: 'common' })}
          </Button>
          <Button size="xs" variant="default" onClick={onClose} {...stays}>
            {t('cancel', { ns: 'common' })}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
