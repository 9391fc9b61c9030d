import { Box, type BoxProps, type ElementProps, type MantineSize } from '@mantine/core'
import type { JSX } from 'react'
import classes from './Table.module.css'

type Part<Tag extends keyof JSX.IntrinsicElements> = BoxProps & ElementProps<Tag, keyof BoxProps>

type Props = Part<'table'> & {
  highlightOnHover?: boolean
  /** The room at both sides of a cell. */
  horizontalSpacing?: MantineSize
}

/**
 * A table of plain elements that take the kit's style props, such as `w` and `ta`. With the class `panel-table` its rows have lines
 * instead of columns on a phone. What may be wider than the page stands in a `TableScroll`.
 */
export function Table({ highlightOnHover, horizontalSpacing = 'md', className, style, ...rest }: Props) {
  return (
    <Box
      component="table"
      className={className ? `${classes.table} ${className}` : classes.table}
      data-hover={highlightOnHover || undefined}
      style={[{ '--cell-room': `var(--mantine-spacing-${horizontalSpacing})` }, style]}
      {...rest}
    />
  )
}

Table.Thead = (props: Part<'thead'>) => <Box component="thead" {...props} />
Table.Tbody = (props: Part<'tbody'>) => <Box component="tbody" {...props} />
Table.Tfoot = (props: Part<'tfoot'>) => <Box component="tfoot" {...props} />
Table.Tr = (props: Part<'tr'>) => <Box component="tr" {...props} />
Table.Th = (props: Part<'th'>) => <Box component="th" {...props} />
Table.Td = (props: Part<'td'>) => <Box component="td" {...props} />

export type TableThProps = Part<'th'>
