import { Button, Center, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatColumnShare, formatDuration, formatNumber } from '@/shared/format'
import { timeZone } from '@/shared/time'
import { type Sort, SortHead, Table, TableScroll, useBeforePrint } from '@/shared/ui'
import { Swatch } from '../chart/Swatch'
import { coloursOf, countOf, keyOf, otherColour } from '../chart/series'
import type { UsageData, UsageRow } from '../queries'
import type { SortColumn } from '../range'
import classes from '../Usage.module.css'
import { useNames } from '../useNames'
import { useUsageSearch } from '../useUsageSearch'
import { type Column, columnsOf, inOrder, shareOf, textOf } from './columns'
import { Name } from './Name'

const shownAtFirst = 50

type Props = {
  data: UsageData
  /** The rows in the order of the bars. */
  rows: UsageRow[]
}

/** The sums behind the bars, with their colours. Names lead to their pages, figures to the requests behind them. */
export function UsageTable({ data, rows }: Props) {
  const { t } = useTranslation('usage')
  const { show, search, change } = useUsageSearch()
  // Times have no order of their own: see `sorted`.
  const usual: Sort<SortColumn> = `-${show === 'time' ? 'messages' : show}`
  const sorting = {
    sort: search.sort ?? usual,
    onSort: (next: Sort<SortColumn>) => change({ sort: next === usual ? undefined : next }),
  }
  const [all, setAll] = useState(false)
  // Paper has no button for the rest.
  useBeforePrint(() => setAll(true))
  const names = useNames(data.split)
  const colours = coloursOf(data.split, rows)
  const ordered = inOrder(rows, search.sort, names)
  const shown = all ? ordered : ordered.slice(0, shownAtFirst)
  const columns = columnsOf(show)
  const sum = rows.reduce((whole, row) => whole + countOf(data.split, show, row), 0)
  return (
    <>
      <Paper mt="lg" style={{ overflow: 'hidden' }}>
        <TableScroll label={t('tabs.usage')}>
          <Table
            highlightOnHover
            className={`panel-table panel-numbers ${classes.table}`}
            columns={[{ min: 160 }, 96, 112, ...columns.slice(1).map(({ name }) => (name === 'tokens' ? 96 : 80))]}
          >
            <Table.Thead>
              <Table.Tr>
                <SortHead column="name" {...sorting}>
                  {t(`splits.${data.split}`)}
                </SortHead>
                {columns.map(({ name }, at) => [
                  <SortHead key={name} column={name} {...sorting} falling ta="right">
                    {t(name)}
                  </SortHead>,
                  at === 0 && (
                    <Table.Th key="share" ta="right">
                      {t('share')}
                    </Table.Th>
                  ),
                ])}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((row) => {
                const key = keyOf(data.split, row)
                const share = shareOf(data, show, row, sum)
                return (
                  <Table.Tr key={key}>
                    <Table.Td data-at="title" className="panel-user-text">
                      <Swatch colour={colours.get(key) ?? otherColour} />{' '}
                      <Name split={data.split} row={row} name={names(row)} />
                    </Table.Td>
                    {columns.map((column, at) => [
                      <Figure key={column.name} column={column} place={at} data={data} row={row} />,
                      at === 0 && (
                        <Table.Td key="share" data-at="sub" ta="right">
                          {formatColumnShare(share)}
                        </Table.Td>
                      ),
                    ])}
                  </Table.Tr>
                )
              })}
            </Table.Tbody>
            <Foot data={data} rows={rows} columns={columns} />
          </Table>
        </TableScroll>
        {shown.length < rows.length && (
          <Center p="sm">
            <Button variant="default" onClick={() => setAll(true)}>
              {t('showAll', { count: rows.length })}
            </Button>
          </Center>
        )}
      </Paper>
      <Text size="sm" c="dimmed" mt="xs">
        {t('note', { zone: timeZone() ?? 'UTC' })}
      </Text>
    </>
  )
}

const places = ['end', 'sub-end', undefined]

function Figure({ column, place, data, row }: { column: Column; place: number; data: UsageData; row: UsageRow }) {
  const { t } = useTranslation('usage')
  const { name, of, cell } = column
  return (
    <Table.Td ta="right" data-at={places[place]}>
      {cell?.(data, row) ?? textOf(column, row)}
      {!column.isTime && place < 2 && (
        <span className="panel-unit" data-unit={t(`names.${name}`, { count: of(row) })} />
      )}
    </Table.Td>
  )
}

/** Added up here, so that the foot always agrees with the rows. */
function Foot({ data, rows, columns }: Props & { columns: Column[] }) {
  const { t } = useTranslation('usage')
  const [times] = data.total
  const time = (ms: number | null | undefined) => (ms == null ? '–' : formatDuration(ms))
  const sumOf = ({ name, of, isTime }: Column) => {
    if (isTime) return time(name === 'median' ? times?.durationP50Ms : times?.durationP95Ms)
    return formatNumber(rows.reduce((sum, row) => sum + of(row), 0))
  }
  return (
    <Table.Tfoot>
      <Table.Tr>
        <Table.Th scope="row" bg="none">
          {t('together')}
        </Table.Th>
        {columns.map((column, at) => [
          <Table.Td key={column.name} ta="right">
            {sumOf(column)}
          </Table.Td>,
          at === 0 && <Table.Td key="share" />,
        ])}
      </Table.Tr>
    </Table.Tfoot>
  )
}
