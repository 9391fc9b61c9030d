import { useTranslation } from 'react-i18next'
import { Drawer, useFocusReturn } from '@/shared/ui'
import { Nav } from './Nav'

/** The other places, on a phone. Loaded on first use. */
export default function NavDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell')
  useFocusReturn()
  return (
    <Drawer opened onClose={onClose} position="bottom" title={t('more')}>
      <Nav onNavigate={onClose} />
    </Drawer>
  )
}
