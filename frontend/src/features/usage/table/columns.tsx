import type { ReactNode } from 'react'
import { formatDuration, formatNumber } from '@/shared/format'
import { type Sort, sortedBy } from '@/shared/ui'
import { requestsOf } from '../chart/series'
import type { UsageData, UsageRow } from '../queries'
import type { SortColumn } from '../range'
import type { Measure, Split } from '../useUsageSearch'
import { Failures, Messages, Requests } from './Behind'

/** A column of figures. */
export type Column = {
  name: Exclude<SortColumn, 'name'>
  /** The key of its texts, if not its name. */
  label?: 'requests'
  of: (row: UsageRow) => number
  /** What is in the cell, if not the figure alone. */
  cell?: (data: UsageData, row: UsageRow) => ReactNode
  /** A time has no sum: it is that of all messages. */
  isTime?: boolean
}

const tokens = (row: UsageRow) => row.inputTokens + row.outputTokens

const columns: Column[] = [
  { name: 'credits', of: (row) => row.credits },
  { name: 'messages', of: (row) => row.messages, cell: (data, row) => <Messages data={data} row={row} /> },
  { name: 'tokens', of: tokens },
  {
    name: 'failed',
    of: (row) => row.failed,
    cell: (data, row) => <Failures data={data} row={row} outcome="FAILED" />,
  },
  {
    name: 'refused',
    of: (row) => row.refused,
    cell: (data, row) => <Failures data={data} row={row} outcome="REFUSED" />,
  },
  { name: 'median', of: (row) => row.durationP50Ms ?? -1, isTime: true },
  { name: 'p95', of: (row) => row.durationP95Ms ?? -1, isTime: true },
]

const requests: Column = {
  name: 'messages',
  label: 'requests',
  of: requestsOf,
  cell: (data, row) => <Requests data={data} row={row} />,
}

/** The columns by result. Each row is one result, so Failed and Rejected would repeat it. */
const resultColumns = columns
  .filter(({ name }) => name !== 'failed' && name !== 'refused')
  .map((column) => (column.name === 'messages' ? requests : column))

/** The columns, what is shown first. Its share follows, unless it is a time. */
export function columnsOf(split: Split, show: Measure): Column[] {
  const first = show === 'time' ? 'median' : show
  return (split === 'status' ? resultColumns : columns).toSorted(
    (a, b) => Number(b.name === first) - Number(a.name === first),
  )
}

/** The sum of a column. */
export const sumOf = ({ of }: Column, rows: readonly UsageRow[]) => rows.reduce((sum, row) => sum + of(row), 0)

/** A figure of a column in words. */
export function textOf({ of, isTime }: Column, row: UsageRow): string {
  const value = of(row)
  if (!isTime) return formatNumber(value)
  return value < 0 ? '–' : formatDuration(value)
}

/** The rows in the order of a column; without one as they are. Those without a time, and then the rest of all keys, come last. */
export function inOrder(
  rows: readonly UsageRow[],
  columns: readonly Column[],
  sort: Sort<SortColumn> | undefined,
  nameOf: (row: UsageRow) => string,
) {
  if (!sort) return rows
  const figureOf = (row: UsageRow, column: SortColumn) => {
    if (column === 'name') return nameOf(row)
    const value = columns.find(({ name }) => name === column)?.of(row) ?? -1
    return value < 0 ? null : value
  }
  return sortedBy(rows, sort, figureOf).toSorted((a, b) => Number(a.rest) - Number(b.rest))
}
