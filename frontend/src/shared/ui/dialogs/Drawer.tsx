import { type DrawerProps, Drawer as KitDrawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'

type Props = Omit<DrawerProps, 'position' | 'closeButtonProps'> & { position: 'right' | 'bottom' }

/** What slides in over the page: from the right, or on a phone from its foot. What a row of a list opens is a `SidePanel`. */
export function Drawer(props: Props) {
  const { t } = useTranslation()
  return (
    <KitDrawer
      classNames={props.position === 'bottom' ? { content: 'panel-sheet' } : undefined}
      closeButtonProps={{ 'aria-label': t('close') }}
      {...props}
    />
  )
}
