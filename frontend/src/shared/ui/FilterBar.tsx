import { Button, Drawer, Group, Stack } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './FilterBar.module.css'

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
      {phone ? <Sheet count={count}>{children}</Sheet> : children}
      {onClear && (
        <Button variant="default" onClick={onClear}>
          {t('clear')}
        </Button>
      )}
    </Group>
  )
}

function Sheet({ count, children }: { count: number; children: ReactNode }) {
  const { t } = useTranslation('lists')
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={open}
      >
        {count > 0 ? t('filtersSet', { count }) : t('filters')}
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        position="bottom"
        size="auto"
        title={t('filters')}
        closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
      >
        <Stack gap="sm" className={classes.sheet}>
          {children}
          <Button onClick={close}>{t('show')}</Button>
        </Stack>
      </Drawer>
    </>
  )
}
