import { Paper, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Times } from '@/features/usage'
import { intervalText } from '@/features/usage'
import { formatNumber } from '@/shared/format'
import { dateOf, formatDay, useNow } from '@/shared/time'
import { Credits, Table, TableScroll } from '@/shared/ui'
import classes from './Credits.module.css'
import type { Day } from './days'
import { Entries } from './Entries'
import { useCreditSearch } from './useCreditSearch'

type Props = { days: readonly Day[]; interval: Times['interval'] }

/** The days of the history, newest first. A day opens to its messages and to what was added. */
export function HistoryTable({ days, interval }: Props) {
  const { t } = useTranslation('credits')
  const { search, open } = useCreditSearch()
  const dates = days.map(({ start }) => dateOf(start))
  const opened = search.open
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('history')}>
        <Table miw={720} className={`panel-table panel-numbers ${classes.table}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t(interval === 'MONTH' ? 'month' : 'day')}</Table.Th>
              <Table.Th w="24%" ta="right">
                {t('messages')}
              </Table.Th>
              <Table.Th w={104} ta="right">
                {t('used')}
              </Table.Th>
              <Table.Th w={104} ta="right">
                {t('added')}
              </Table.Th>
              <Table.Th w={112} ta="right">
                {t('balance')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          {days.map((day, at) => {
            const date = dates[at] ?? ''
            const isOpen = date === opened
            return (
              <Table.Tbody key={date}>
                <DayRow
                  day={day}
                  interval={interval}
                  isOpen={isOpen}
                  onToggle={() => open(isOpen ? undefined : date)}
                />
                {isOpen && <Entries day={day} interval={interval} />}
              </Table.Tbody>
            )
          })}
        </Table>
      </TableScroll>
    </Paper>
  )
}

type RowProps = { day: Day; interval: Times['interval']; isOpen: boolean; onToggle: () => void }

function DayRow({ day, interval, isOpen, onToggle }: RowProps) {
  const { t } = useTranslation('credits')
  const { messages, credits, added, additions, balance } = day
  const Icon = isOpen ? IconChevronDown : IconChevronRight
  const notes = additions.map(({ kind, note }) => note || t(`kinds.${kind}`))
  return (
    <Table.Tr className="panel-row" data-open={isOpen || undefined} data-testid="credit-day">
      <Table.Td data-at="title">
        <UnstyledButton className={`panel-row-link ${classes.day}`} aria-expanded={isOpen} onClick={onToggle}>
          <Icon size={16} aria-hidden />
          <DayName day={day} interval={interval} />
        </UnstyledButton>{' '}
        {notes.length > 0 && (
          <Text span size="xs" c="dimmed" className={`panel-user-text ${classes.notes}`}>
            {notes.join(' · ')}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-at="sub" ta="right" className={classes.messages}>
        {messages > 0 && formatNumber(messages)}
        {messages > 0 && <span className="panel-unit" data-unit={t('messageUnit', { count: messages })} />}
      </Table.Td>
      <Table.Td data-at="end" ta="right">
        {credits > 0 && <Credits value={-credits} signed bare />}
      </Table.Td>
      <Table.Td data-at="more-end" ta="right">
        {added !== 0 && <Credits value={added} signed bare c={added > 0 ? 'var(--ok)' : undefined} />}
      </Table.Td>
      <Table.Td data-at="sub-end" ta="right">
        {balance === undefined ? '–' : <Credits value={balance} bare />}
        {balance !== undefined && <span className="panel-unit" data-unit={t('balanceUnit')} />}
      </Table.Td>
    </Table.Tr>
  )
}

function DayName({ day: { start }, interval }: Pick<RowProps, 'day' | 'interval'>) {
  const { t } = useTranslation('credits')
  const now = useNow()
  if (interval === 'MONTH') return intervalText('MONTH', start)
  return dateOf(start) === dateOf(now) ? t('today', { day: formatDay(start) }) : formatDay(start)
}
