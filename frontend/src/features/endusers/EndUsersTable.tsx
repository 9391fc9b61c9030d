import { Button, Paper, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
import { Credits, RowLink, TableScroll } from '@/shared/ui'
import type { Agent, EndUser } from './queries'
import { useErase } from './useErase'

type Props = { agent: Agent; rows: EndUser[]; onErased: () => void }

/** End users with their use of one agent. A row links to the conversations. */
export function EndUsersTable({ agent, rows, onErased }: Props) {
  const { t } = useTranslation('endusers')
  const erase = useErase(agent, onErased)
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table highlightOnHover miw={640} className="panel-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="40%">{t('userId')}</Table.Th>
              <Table.Th>{t('lastSeen')}</Table.Th>
              <Table.Th ta="right">{t('messages')}</Table.Th>
              <Table.Th ta="right">{t('credits')}</Table.Th>
              <Table.Th ta="right">{t('conversations')}</Table.Th>
              <Table.Th aria-label={t('actions')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Row key={row.userId} agent={agent} row={row} onErase={() => erase(row.userId)} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}

function Row({ agent, row, onErase }: { agent: Agent; row: EndUser; onErase: () => void }) {
  const { t } = useTranslation('endusers')
  return (
    <Table.Tr className="panel-row">
      <Table.Td data-at="title">
        <RowLink to="/agents/$id/conversations" params={{ id: agent.id }} search={{ userId: row.userId }}>
          <Text component="span" inherit lineClamp={2} className="panel-user-text">
            {row.userId}
          </Text>
        </RowLink>
      </Table.Td>
      <Table.Td data-at="sub">
        <RelativeTime time={row.lastSeenAt} />
      </Table.Td>
      <Table.Td ta="right" className="panel-numbers">
        {formatNumber(row.messages)}
      </Table.Td>
      <Table.Td data-at="sub-end" ta="right">
        <Credits value={row.credits} bare />
        <span className="panel-unit" data-unit={t('creditsUnit', { count: row.credits })} />
      </Table.Td>
      <Table.Td ta="right" className="panel-numbers">
        {formatNumber(row.conversations)}
      </Table.Td>
      <Table.Td data-at="end" ta="right">
        <Button
          size="xs"
          variant="default"
          c="var(--bad)"
          className="panel-row-control"
          onClick={onErase}
          aria-label={t('eraseOf', { userId: row.userId })}
        >
          {t('erase')}
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}
