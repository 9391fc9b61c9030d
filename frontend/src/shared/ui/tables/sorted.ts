import { compareNames } from '@/shared/format'
import type { Sort } from './SortHead'

/** What rows are sorted by: names by the reader's alphabet, numbers by their size. */
export type SortValue = string | number | null | undefined

/**
 * Rows in the order of a column. Those without a value come last, whichever way it goes; those that are alike, by `alike` or as they
 * were.
 */
export function sortedBy<Row, Column extends string>(
  rows: readonly Row[],
  sort: Sort<Column>,
  keyOf: (row: Row, column: Column) => SortValue,
  alike: (a: Row, b: Row) => number = () => 0,
): Row[] {
  const column = sort.replace(/^-/, '') as Column
  const sign = sort.startsWith('-') ? -1 : 1
  const compare = compareNames()
  return rows
    .map((row) => ({ row, value: keyOf(row, column) ?? null }))
    .sort(({ row: a, value: x }, { row: b, value: y }) => {
      if (x === null || y === null) return Number(x === null) - Number(y === null) || alike(a, b)
      const order = typeof x === 'string' ? compare(x, String(y)) : x - Number(y)
      return sign * order || alike(a, b)
    })
    .map(({ row }) => row)
}

/** All orders that an address may name, of columns that sort. */
export const sortsOf = <Column extends string>(columns: readonly Column[]): readonly Sort<Column>[] =>
  columns.flatMap((column): Sort<Column>[] => [column, `-${column}`])

/** A time as a value to sort by. */
export const timeValue = (time: string | null | undefined) => (time == null ? null : Date.parse(time))
