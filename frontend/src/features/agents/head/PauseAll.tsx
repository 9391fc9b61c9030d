import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { agentExportsQuery, PauseApiExportDocument, refreshExports } from '@/features/exports'
import { gql } from '@/shared/gql'
import { BulkDialog, Dialog, QueryView } from '@/shared/ui'
import classes from './PauseAll.module.css'

/** Lists an agent's exports that answer, and pauses exactly these. Loaded on first use. */
export default function PauseAll({ agentId, onClose }: { agentId: string; onClose: () => void }) {
  const { t } = useTranslation(['exports', 'agents'])
  const queryClient = useQueryClient()
  // What is listed stays while the dialog is open.
  const query = useQuery({
    ...agentExportsQuery(agentId),
    queryKey: ['pausing', { id: agentId }],
    gcTime: 0,
    staleTime: Infinity,
  })
  const title = t('pauseAll', { ns: 'agents' })
  if (!query.data) {
    return (
      <Dialog title={title} onClose={onClose}>
        <QueryView query={query}>{() => null}</QueryView>
      </Dialog>
    )
  }
  const rows = query.data.agent.exports.filter(({ state }) => state === 'ACTIVE')
  return (
    <BulkDialog
      title={title}
      rows={rows}
      danger
      leftOut={() => undefined}
      says={(count) => (count > 0 ? t('bulk.pause.says', { count }) : t('pauseAllNone', { ns: 'agents' }))}
      submitLabel={(count) => t('bulk.pause.submit', { count })}
      done={(count) => t('bulk.pause.done', { count })}
      change={({ id }) => gql(PauseApiExportDocument, { input: { id } })}
      onChanged={() => refreshExports(queryClient)}
      onClose={onClose}
    >
      {rows.length > 0 && (
        <ul className={`${classes.list} panel-user-text`}>
          {rows.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      )}
      <Text size="sm" c="dimmed">
        {t('pauseAllHelp', { ns: 'agents' })}
      </Text>
    </BulkDialog>
  )
}
