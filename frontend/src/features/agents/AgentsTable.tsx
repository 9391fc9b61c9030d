import { Paper, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
import { RowLink, TableScroll } from '@/shared/ui'
import type { ListedAgent } from './queries'
import { StateBadge } from './StateBadge'

export function AgentsTable({ agents }: { agents: ListedAgent[] }) {
  const { t } = useTranslation('agents')
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table highlightOnHover miw={560} className="panel-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="40%">{t('name')}</Table.Th>
              <Table.Th>{t('state')}</Table.Th>
              <Table.Th>{t('model')}</Table.Th>
              <Table.Th ta="right">{t('exports')}</Table.Th>
              <Table.Th>{t('lastUsed')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {agents.map((agent) => (
              <Row key={agent.id} agent={agent} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}

function Row({ agent }: { agent: ListedAgent }) {
  const { t } = useTranslation('agents')
  return (
    <Table.Tr className="panel-row">
      <Table.Td data-at="title">
        <RowLink to="/agents/$id" params={{ id: agent.id }}>
          {agent.name}
        </RowLink>
        {agent.description && (
          <Text size="xs" c="dimmed" lineClamp={1} className="panel-user-text">
            {agent.description}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-at="end">
        <StateBadge agent={agent} />
      </Table.Td>
      <Table.Td data-at="sub">
        {agent.model?.label ?? (
          <Text span inherit c="dimmed">
            {t('noModel')}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" className="panel-numbers">
        {formatNumber(agent.exports.length)}
      </Table.Td>
      <Table.Td data-at="sub-end">
        <RelativeTime time={agent.lastUsedAt} />
      </Table.Td>
    </Table.Tr>
  )
}
