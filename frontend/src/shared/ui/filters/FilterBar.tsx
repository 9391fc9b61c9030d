import { Box, Button } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { part } from '../states/part'
import { usePhone } from '../widths'
import classes from './FilterBar.module.css'

const FilterSheet = part(() => import('./FilterSheet'))

type Props = {
  /** The filter that is always in sight, most often the list's search. */
  first: ReactNode
  /** The others: in the same line on a wide screen, in a sheet on a phone. */
  children: ReactNode
  /** How many of the others are set. */
  count: number
  /** Clears all filters; without it there is nothing to clear. */
  onClear?: () => void
  /** Whether the others are in the sheet on any screen, because something stands beside the list. */
  compact?: boolean
}

/** The filters of a list, in one row of controls with their names inside, which the page keeps in its address. */
export function FilterBar({ first, children, count, onClear, compact }: Props) {
  const { t } = useTranslation('lists')
  const phone = usePhone()
  return (
    <Box role="search" className={classes.bar}>
      {first}
      {phone || compact ? (
        <Suspense>
          <FilterSheet count={count}>{children}</FilterSheet>
        </Suspense>
      ) : (
        children
      )}
      {onClear && (
        <Button variant="subtle" onClick={onClear}>
          {t('clear')}
        </Button>
      )}
    </Box>
  )
}
