import { Button, Center, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatColumnShare, formatDuration, formatNumber } from '@/shared/format'
import { timeZone } from '@/shared/time'
import { type Sort, SortHead, Table, TableScroll, useBeforePrint } from '@/shared/ui'
import { Swatch } from '../chart/Swatch'
import { coloursOf, keyOf, otherColour } from '../chart/series'
import type { UsageData, UsageRow } from '../queries'
import type { SortColumn } from '../range'
import classes from '../Usage.module.css'
import { useNames } from '../useNames'
import { useUsageSearch } from '../useUsageSearch'
import { type Column, columnsOf, inOrder, sumOf, textOf } from './columns'
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
  const columns = columnsOf(data.split, show)
  const ordered = inOrder(rows, columns, search.sort, names)
  const shown = all ? ordered : ordered.slice(0, shownAtFirst)
  // A time has no shares, and its chart does not use the colours of the rows.
  const summed = show === 'time' ? undefined : columns[0]
  const sum = summed && sumOf(summed, rows)
  return (
    <>
      <Paper mt="lg" style={{ overflow: 'hidden' }}>
        <TableScroll label={t('tabs.usage')}>
          <Table
            highlightOnHover
            className={`panel-table panel-numbers ${classes.table}`}
            columns={[
              { min: 160 },
              96,
              summed && 112,
              ...columns.slice(1).map(({ name }) => (name === 'tokens' ? 96 : 80)),
            ]}
          >
            <Table.Thead>
              <Table.Tr>
                <SortHead column="name" {...sorting}>
                  {t(`splits.${data.split}`)}
                </SortHead>
                {columns.map(({ name, label }, at) => [
                  <SortHead key={name} column={name} {...sorting} falling ta="right">
                    {t(label ?? name)}
                  </SortHead>,
                  at === 0 && summed && (
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
                return (
                  <Table.Tr key={key}>
                    <Table.Td data-at="title" className="panel-user-text">
                      {summed && <Swatch colour={colours.get(key) ?? otherColour} />}{' '}
                      <Name split={data.split} row={row} name={names(row)} />
                    </Table.Td>
                    {columns.map((column, at) => [
                      <Figure key={column.name} column={column} place={at} data={data} row={row} />,
                      at === 0 && summed && (
                        <Table.Td key="share" data-at="sub" ta="right">
                          {formatColumnShare(sum ? summed.of(row) / sum : 0)}
                        </Table.Td>
                      ),
                    ])}
                  </Table.Tr>
                )
              })}
            </Table.Tbody>
            <Foot data={data} rows={rows} columns={columns} hasShare={Boolean(summed)} />
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
  const { name, label = name, of, cell } = column
  return (
    <Table.Td ta="right" data-at={places[place]}>
      {cell?.(data, row) ?? textOf(column, row)}
      {!column.isTime && place < 2 && (
        <span className="panel-unit" data-unit={t(`names.${label}`, { count: of(row) })} />
      )}
    </Table.Td>
  )
}

/** Added up here, so that the foot always agrees with the rows. */
function Foot({ data, rows, columns, hasShare }: Props & { columns: Column[]; hasShare: boolean }) {
  const { t } = useTranslation('usage')
  const [times] = data.total
  const time = (ms: number | null | undefined) => (ms == null ? '–' : formatDuration(ms))
  const textOfSum = (column: Column) => {
    if (column.isTime) return time(column.name === 'median' ? times?.durationP50Ms : times?.durationP95Ms)
    return formatNumber(sumOf(column, rows))
  }
  return (
    <Table.Tfoot>
      <Table.Tr>
        <Table.Th scope="row" bg="none">
          {t('together')}
        </Table.Th>
        {columns.map((column, at) => [
          <Table.Td key={column.name} ta="right">
            {textOfSum(column)}
          </Table.Td>,
          at === 0 && hasShare && <Table.Td key="share" />,
        ])}
      </Table.Tr>
    </Table.Tfoot>
  )
}
