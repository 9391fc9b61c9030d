import { Checkbox, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { BulkDialog, Dialog, QueryView } from '@/shared/ui'
import { PinApiExportDocument, refreshVersions, reviewQuery } from '../queries'

type Props = { agentId: string; number: number; onClose: () => void }

/** Pins an agent's exports to a version, and lets those that are unticked follow the published version. */
export default function PinDialog({ agentId, number, onClose }: Props) {
  const { t } = useTranslation('versions')
  const queryClient = useQueryClient()
  const query = useQuery(reviewQuery(agentId))
  /** The boxes that were ticked or unticked, by the ID of the export. */
  const [ticks, setTicks] = useState<Record<string, boolean>>({})
  const title = t('pinTitle', { number })
  if (!query.data) {
    return (
      <Dialog onClose={onClose} title={title} size={520}>
        <QueryView query={query}>{() => null}</QueryView>
      </Dialog>
    )
  }
  const rows = query.data.agent.exports
  const isHere = (row: { version?: number | null }) => row.version === number
  const isTicked = (row: (typeof rows)[number]) => ticks[row.id] ?? isHere(row)
  const changed = rows.filter((row) => isTicked(row) !== isHere(row))
  const pinned = changed.filter(isTicked).length
  return (
    <BulkDialog
      title={title}
      rows={changed}
      leftOut={() => undefined}
      says={() => t('pinHelp')}
      submitLabel={() => (pinned > 0 || changed.length === 0 ? t('pinSubmit', { count: pinned }) : t('unpin'))}
      done={() => (pinned > 0 ? t('pinDone', { count: pinned }) : t('unpin'))}
      change={(row) => gql(PinApiExportDocument, { input: { id: row.id, version: isTicked(row) ? number : null } })}
      onChanged={() => void refreshVersions(queryClient)}
      onClose={onClose}
    >
      {rows.length === 0 && <Text size="sm">{t('pinNone')}</Text>}
      <Stack gap="xs">
        {rows.map((row) => (
          <Checkbox
            key={row.id}
            label={row.name}
            description={row.version == null || isHere(row) ? undefined : t('version', { number: row.version })}
            checked={isTicked(row)}
            onChange={({ currentTarget: { checked } }) => setTicks((before) => ({ ...before, [row.id]: checked }))}
          />
        ))}
      </Stack>
    </BulkDialog>
  )
}
