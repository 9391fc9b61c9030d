import { Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { RelativeTime } from '@/shared/time'
import { confirm, notifyDone } from '@/shared/ui'
import { type AgentExport, applyToAgent, RemoveApiExportDocument, refreshExports } from './queries'

/** Asks, naming the export and when it was last used, and removes it; the row moves when the answer comes. */
export function useRemoveExport(agentId: string) {
  const { t } = useTranslation('exports')
  const queryClient = useQueryClient()
  return (row: AgentExport, onRemoved?: () => void) =>
    confirm({
      title: t('removeTitle', { name: row.name }),
      body: (
        <Stack gap="xs">
          <Text className="panel-user-text">
            {t('lastUsed')}: <RelativeTime time={row.lastUsedAt} /> ({hints(row)})
          </Text>
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

/** How an export's keys are recognised. */
export const hints = (row: { keys: { hint: string }[] }) => row.keys.map((key) => key.hint).join(', ')
