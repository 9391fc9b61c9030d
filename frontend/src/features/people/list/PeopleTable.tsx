import { Paper } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
import { Credits, RowLink, Table, TableScroll } from '@/shared/ui'
import { type Row as Person, todayOf } from '../queries'
import { State, Today } from '../Today'

type Props = { rows: Person[]; agent?: string }

/** People with their use, with all agents or with one. */
export function PeopleTable({ rows, agent }: Props) {
  const { t } = useTranslation('people')
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table highlightOnHover miw={820} className="panel-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="34%">{t('person')}</Table.Th>
              <Table.Th ta="right">{t('messages')}</Table.Th>
              <Table.Th ta="right">{t('credits')}</Table.Th>
              <Table.Th w={140}>{t('limitToday')}</Table.Th>
              <Table.Th>{t('state')}</Table.Th>
              <Table.Th ta="right">{t('firstSeen')}</Table.Th>
              <Table.Th ta="right">{t('lastSeen')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Row key={row.userId} row={row} agent={agent} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}

/** Memoized: of a thousand rows, only the fifty of the next page are rendered. */
const Row = memo(function Row({ row, agent }: { row: Person; agent?: string }) {
  const { t } = useTranslation('people')
  return (
    <Table.Tr className="panel-row">
      <Table.Td data-at="title">
        <RowLink to="/activity/people/person" search={{ id: row.userId, agent }} lineClamp={2} translate="no">
          {row.userId}
        </RowLink>
      </Table.Td>
      <Table.Td ta="right" className="panel-numbers">
        {formatNumber(row.messages)}
      </Table.Td>
      <Table.Td data-at="sub-end" ta="right">
        <Credits value={row.credits} bare />
        <span className="panel-unit" data-unit={t('creditsUnit', { count: row.credits })} />
      </Table.Td>
      <Table.Td>
        <Today {...todayOf(row)} />
      </Table.Td>
      <Table.Td data-at="sub">
        <State row={row} />
      </Table.Td>
      <Table.Td ta="right">
        <RelativeTime time={row.firstSeenAt} />
      </Table.Td>
      <Table.Td data-at="end" ta="right">
        <RelativeTime time={row.lastSeenAt} />
      </Table.Td>
    </Table.Tr>
  )
})
