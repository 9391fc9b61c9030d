import { Box, type BoxProps, type ElementProps, type MantineSize } from '@mantine/core'
import type { JSX } from 'react'
import { columnsOf, type TableColumn } from './columns'
import classes from './Table.module.css'

type Part<Tag extends keyof JSX.IntrinsicElements> = BoxProps & ElementProps<Tag, keyof BoxProps>

type Props = Part<'table'> & {
  /**
   * The columns. Each has its width whatever its cells hold, and the cells of a `wide` one go with it. Cells that are left out have
   * `undefined` or `false` here.
   */
  columns?: readonly (TableColumn | undefined | false)[]
  /** Rows of one line are 40 px high, those of a log 32, those of two lines 52. */
  rows?: 'log' | 'two'
  highlightOnHover?: boolean
  /** The room at both sides of a cell. */
  horizontalSpacing?: MantineSize
}

/**
 * A table of plain elements that take the kit's style props, such as `w` and `ta`. With the class `panel-table` its rows have lines
 * instead of columns on a phone. What may be wider than the page stands in a `TableScroll`.
 */
export function Table(props: Props) {
  const { columns, rows, highlightOnHover, horizontalSpacing, className, style, children, ...rest } = props
  const room = horizontalSpacing ?? (columns ? 'xs' : 'md')
  const shape = columns && columnsOf(columns)
  return (
    <Box
      component="table"
      className={className ? `${classes.table} ${className}` : classes.table}
      data-hover={highlightOnHover || undefined}
      data-rows={rows}
      data-columns={shape && true}
      data-wide-only={shape?.wideOnly}
      style={[
        { '--cell-room': `var(--mantine-spacing-${room})` },
        shape && { '--least': shape.least, '--least-medium': shape.leastMedium },
        style,
      ]}
      {...rest}
    >
      {shape && (
        <colgroup>
          {shape.columns.map(({ width, wide }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            <col key={at} style={{ width }} data-wide={wide || undefined} />
          ))}
        </colgroup>
      )}
      {children}
    </Box>
  )
}
Table.Thead = (props: Part<'thead'>) => <Box component="thead" {...props} />
Table.Tbody = (props: Part<'tbody'>) => <Box component="tbody" {...props} />
Table.Tfoot = (props: Part<'tfoot'>) => <Box component="tfoot" {...props} />
Table.Tr = (props: Part<'tr'>) => <Box component="tr" {...props} />
Table.Th = (props: Part<'th'>) => <Box component="th" {...props} />
Table.Td = (props: Part<'td'>) => <Box component="td" {...props} />

export type TableThProps = Part<'th'>
