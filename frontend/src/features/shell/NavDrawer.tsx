import { Drawer, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFocusReturn } from '@/shared/ui'
import { Nav } from './Nav'
import { NavFoot } from './NavFoot'

/** The navigation on narrow screens. Loaded on first use. */
export default function NavDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell')
  useFocusReturn()
  return (
    <Drawer
      opened
      onClose={onClose}
      size={260}
      title={t('menu')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
    >
      <Stack gap="md">
        <Nav onNavigate={onClose} />
        <NavFoot />
      </Stack>
    </Drawer>
  )
}
