/**
 * A column of a table: its width in pixels, or the least width of one that takes what is left. The one that is `wide` is shown from
 * 1,200 px on. A phone has lines instead.
 */
export type TableColumn = number | { width?: number; min?: number; wide?: boolean }

/** The least width of a name. */
const nameWidth = 140

/** What a table needs to know of its columns; those that are undefined do not count. */
export function columnsOf(given: readonly (TableColumn | undefined | false)[]) {
  const columns = given
    .filter((column) => column !== undefined && column !== false)
    .map((column) => (typeof column === 'number' ? { width: column } : column))
  const least = (some: typeof columns) =>
    `${some.reduce((sum, { width, min = nameWidth }) => sum + (width ?? min), 0)}px`
  return {
    columns,
    least: least(columns),
    leastMedium: least(columns.filter(({ wide }) => !wide)),
    /** The places of those that only a wide screen has, from 1. */
    wideOnly: columns.flatMap(({ wide }, at) => (wide ? [at + 1] : [])).join(' ') || undefined,
  }
}
