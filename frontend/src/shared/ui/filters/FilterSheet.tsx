import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Drawer } from '../dialogs/Drawer'
import { usePhone } from '../widths'
import classes from './FilterBar.module.css'

/** The filters where there is no room for a row of them. Loaded on first use. */
export default function FilterSheet({ count, children }: { count: number; children: ReactNode }) {
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
      <Drawer opened={opened} onClose={close} position={usePhone() ? 'bottom' : 'right'} title={t('filters')}>
        <Stack gap="sm" className={classes.sheet}>
          {children}
          <Button onClick={close}>{t('show')}</Button>
        </Stack>
      </Drawer>
    </>
  )
}
