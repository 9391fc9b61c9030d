import { Paper } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
import { AppLink, Credits, RowLink, type Sort, SortHead, Table, TableScroll } from '@/shared/ui'
import classes from '../People.module.css'
import { type Order, type Row as Person, todayOf } from '../queries'
import { State, Today } from '../Today'

type Props = { rows: Person[]; agent?: string; order: Order; onOrder: (next: Order) => void }

/** Users with their use, with all agents or with one. */
export function PeopleTable({ rows, agent, order, onOrder }: Props) {
  const { t } = useTranslation('people')
  const sort: Sort<Order> = order === 'USER_ID' ? order : `-${order}`
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table highlightOnHover horizontalSpacing="xs" className={`panel-table ${classes.table}`}>
          <Table.Thead>
            <Table.Tr>
              <SortHead column="USER_ID" sort={sort} onSort={() => onOrder('USER_ID')}>
                {t('person')}
              </SortHead>
              <Table.Th w={90} ta="right">
                {t('messages')}
              </Table.Th>
              <Table.Th w={90} ta="right">
                <AppLink to="/usage" search={{ split: 'user', agent }} inherit>
                  {t('credits')}
                </AppLink>
              </Table.Th>
              <Table.Th w={120}>{t('limitToday')}</Table.Th>
              <SortHead column="LAST_SEEN" sort={sort} onSort={() => onOrder('LAST_SEEN')} falling w={110} ta="right">
                {t('lastActive')}
              </SortHead>
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
  const today = todayOf(row)
  return (
    <Table.Tr className="panel-row">
      <Table.Td data-at="title">
        <div className={classes.user}>
          <RowLink to="/activity/people/person" search={{ id: row.userId, agent }} lineClamp={1} translate="no">
            {row.userId}
          </RowLink>
          <State row={row} />
        </div>
      </Table.Td>
      <Table.Td data-at="sub" className={`${classes.count} panel-numbers`}>
        {formatNumber(row.messages)}
        <span className="panel-unit" data-unit={t('messagesUnit', { count: row.messages })} />
      </Table.Td>
      <Table.Td data-at="sub-end" ta="right">
        <Credits value={row.credits} bare />
        <span className="panel-unit" data-unit={t('creditsUnit', { count: row.credits })} />
      </Table.Td>
      <Table.Td>{today.limit !== undefined && <Today used={today.used} limit={today.limit} />}</Table.Td>
      <Table.Td data-at="end" ta="right">
        <RelativeTime time={row.lastSeenAt} />
      </Table.Td>
    </Table.Tr>
  )
})
