import { UnstyledButton } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { Table, type TableThProps } from './Table'

/** The order of a table, as the address has it: a column, with a minus before it when it falls. */
export type Sort<Column extends string = string> = Column | `-${Column}`

type Props<Column extends string> = Omit<TableThProps, 'onClick'> & {
  column: Column
  /** Undefined while the rows stand in an order that no column has. */
  sort: Sort<Column> | undefined
  onSort: (next: Sort<Column>) => void
  /** Whether the first click shows the greatest first, as for numbers. */
  falling?: boolean
}

/** The head of a column by which a table can be sorted. A second click turns the order round. */
export function SortHead<Column extends string>({ column, sort, onSort, falling, children, ...th }: Props<Column>) {
  const [rises, falls] = [sort === column, sort === `-${column}`]
  const next: Sort<Column> = rises || (falling && !falls) ? `-${column}` : column
  return (
    <Table.Th {...th} aria-sort={rises ? 'ascending' : falls ? 'descending' : undefined}>
      <UnstyledButton className="panel-sort" data-end={th.ta === 'right' || undefined} onClick={() => onSort(next)}>
        {children}
        {(rises || falls) && <IconArrowDown size={12} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  )
}
