import { Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { RelativeTime } from '@/shared/time'
import { confirm, notifyDone } from '@/shared/ui'
import { type AgentExport, agentExportsQuery, applyToAgent, RemoveApiExportDocument, refreshExports } from './queries'

/** Asks, naming the export and when it was last used, and removes it; the row moves when the answer comes. */
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

/** How often the question looks again whether the key that it is about is still used. */
const watchMs = 5_000

/** When it was last used, as of now: on the page behind, that may be as old as the page. */
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

/** How an export's keys are recognised. */
export const hints = (row: { keys: { hint: string }[] }) => row.keys.map((key) => key.hint).join(', ')
