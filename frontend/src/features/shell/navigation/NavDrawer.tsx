import { Drawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFocusReturn } from '@/shared/ui'
import { Nav } from './Nav'

/** All places, on a phone. Loaded on first use. */
export default function NavDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell')
  useFocusReturn()
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      classNames={{ content: 'panel-sheet' }}
      title={t('more')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
    >
      <Nav onNavigate={onClose} />
    </Drawer>
  )
}
