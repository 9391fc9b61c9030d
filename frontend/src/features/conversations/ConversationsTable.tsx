import { Paper, Table, Text } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
import { RowLink, TableScroll } from '@/shared/ui'
import type { ListedConversation } from './queries'

export function ConversationsTable({ rows }: { rows: ListedConversation[] }) {
  const { t } = useTranslation('conversations')
  const agents = rows.some(({ agent }) => agent)
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table highlightOnHover miw={560} className="panel-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="40%">{t('label')}</Table.Th>
              {agents && <Table.Th>{t('agent')}</Table.Th>}
              <Table.Th>{t('source')}</Table.Th>
              <Table.Th ta="right">{t('turns')}</Table.Th>
              <Table.Th>{t('latest')}</Table.Th>
              <Table.Th>{t('started')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}

/** Memoized: of a thousand rows, only the fifty of the next page are rendered. */
const Row = memo(function Row({ row }: { row: ListedConversation }) {
  const { t } = useTranslation('conversations')
  return (
    <Table.Tr className="panel-row">
      <Table.Td data-at="title">
        <RowLink to="/conversations/$id" params={{ id: row.id }}>
          <Text component="span" inherit lineClamp={2} className="panel-user-text">
            {row.sessionId}
          </Text>
        </RowLink>
        {row.userId != null && (
          <Text size="xs" c="dimmed" lineClamp={1} className="panel-user-text" style={{ wordBreak: 'break-all' }}>
            {t('ofUser', { userId: row.userId })}
          </Text>
        )}
      </Table.Td>
      {row.agent && (
        <Table.Td data-at="sub" className="panel-user-text">
          {row.agent.name}
        </Table.Td>
      )}
      <Table.Td data-at={row.agent ? undefined : 'sub'}>{t(`sources.${row.source}`)}</Table.Td>
      <Table.Td data-at="sub-end" ta="right" className="panel-numbers">
        {formatNumber(row.turnCount)}
        <span className="panel-unit" data-unit={t('turnsUnit', { count: row.turnCount })} />
      </Table.Td>
      <Table.Td data-at="end">
        <RelativeTime time={row.lastTurnAt} />
      </Table.Td>
      <Table.Td>
        <RelativeTime time={row.createdAt} />
      </Table.Td>
    </Table.Tr>
  )
})
