import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Table } from '@/shared/ui'
import classes from '../Usage.module.css'
import { useUsageSearch } from '../useUsageSearch'
import type { Sort } from './columns'

type Props = {
  by: Sort
  label: string
  /** Whether its figures stand at the right. */
  end?: boolean
  /** Whether the rows stand like that unless asked otherwise. */
  first?: boolean
}

/** A head that sorts the rows: figures with the most first, names from A. */
export function SortHead({ by, label, end = false, first = false }: Props) {
  const { search, change } = useUsageSearch()
  const sorted = (search.sort ?? (first ? by : undefined)) === by
  const Icon = by === 'name' ? IconArrowUp : IconArrowDown
  return (
    <Table.Th
      ta={end ? 'right' : undefined}
      w={by === 'name' ? '26%' : undefined}
      aria-sort={sorted ? (by === 'name' ? 'ascending' : 'descending') : undefined}
    >
      <UnstyledButton
        className={classes.sort}
        data-sorted={sorted || undefined}
        onClick={() => change({ sort: first ? undefined : by })}
      >
        {label}
        {sorted && <Icon size={12} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  )
}
