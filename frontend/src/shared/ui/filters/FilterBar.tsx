import { Button, Group } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { part } from '../states/part'
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
}

/** The filters of a list, which the page keeps in its address. */
export function FilterBar({ first, children, count, onClear }: Props) {
  const { t } = useTranslation('lists')
  const phone = useMediaQuery('(max-width: 760px)', false, { getInitialValueInEffect: false })
  return (
    <Group gap="xs" align="flex-end" role="search" className={classes.bar}>
      {first}
      {phone ? (
        <Suspense fallback={null}>
          <FilterSheet count={count}>{children}</FilterSheet>
        </Suspense>
      ) : (
        children
      )}
      {onClear && (
        <Button variant="default" onClick={onClear}>
          {t('clear')}
        </Button>
      )}
    </Group>
  )
}
