import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { QueryView } from '@/shared/ui'
import { agentExportsQuery } from '../queries'
import { PauseDialog } from './PauseDialog'

type Props = { agentId: string; onClose: () => void }

/** The dialog that lists an agent's exports and pauses those. */
export function PauseAllExports({ agentId, onClose }: Props) {
  const { t } = useTranslation('agents')
  const query = useQuery(agentExportsQuery(agentId))
  const rows = query.data?.agent.exports ?? []
  const active = rows.filter(({ state }) => state === 'ACTIVE')
  return (
    <PauseDialog
      title={t('pauseAll')}
      loading={query.data ? undefined : <QueryView query={query}>{() => null}</QueryView>}
      rows={rows}
      onClose={onClose}
    >
      <Text size="sm">{t('pauseAllHelp')}</Text>
      {active.length > 0 && (
        <List size="sm">
          {active.map(({ id, name }) => (
            <List.Item key={id} className="panel-user-text">
              {name}
            </List.Item>
          ))}
        </List>
      )}
    </PauseDialog>
  )
}
