import { Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { RelativeTime } from '@/shared/time'
import { confirm, notifyDone } from '@/shared/ui'
import { type AgentExport, agentExportsQuery, applyToAgent, RemoveApiExportDocument, refreshExports } from './queries'

/** Removes an export after a confirmation that shows when it was last used. The row moves when the answer arrives. */
export function useRemoveExport(agentId: string) {
  const { t } = useTranslation('exports')
  const queryClient = useQueryClient()
  return (row: AgentExport, onRemoved?: () => void) =>
    confirm({
      title: t('removeTitle', { name: row.name }),
      body: (
        <Stack gap="xs">
          <LastUse agentId={agentId} row={row} />
          <Text>{t('removeText')}</Text>
        </Stack>
      ),
      confirmLabel: t('removeExport'),
      danger: true,
      onConfirm: async () => {
        const { removeApiExport } = await gql(RemoveApiExportDocument, { input: { id: row.id } })
        applyToAgent(queryClient, agentId, removeApiExport.export)
        refreshExports(queryClient)
        void notifyDone(t('removedDone', { name: row.name }))
        onRemoved?.()
      },
    })
}

/** How often the dialog refreshes when the key was last used. */
const watchMs = 5_000

/** When the key was last used. Refetched, because the page behind may be old. */
function LastUse({ agentId, row }: { agentId: string; row: AgentExport }) {
  const { t } = useTranslation('exports')
  const { data } = useQuery({ ...agentExportsQuery(agentId), staleTime: 0, refetchInterval: watchMs })
  const { lastUsedAt } = data?.agent.exports.find(({ id }) => id === row.id) ?? row
  return (
    <Text className="panel-user-text">
      {t('lastUsed')}: <RelativeTime time={lastUsedAt} /> ({hints(row)})
    </Text>
  )
}

/** The hints of an export's keys. */
export const hints = (row: { keys: { hint: string }[] }) => row.keys.map((key) => key.hint).join(', ')
