import { Stack } from '@mantine/core'
import { IconApi, IconCode, IconCoins, IconHome, IconListDetails, IconRobot, IconSettings } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { NavItemLink } from '@/shared/ui'

const items = [
  { to: '/', label: 'home', Icon: IconHome, exact: true },
  { to: '/agents', label: 'agents', Icon: IconRobot, exact: false },
  { to: '/exports', label: 'exports', Icon: IconApi, exact: false },
  { to: '/requests', label: 'requests', Icon: IconListDetails, exact: false },
  { to: '/credits', label: 'credits', Icon: IconCoins, exact: false },
  { to: '/settings', label: 'settings', Icon: IconSettings, exact: false },
  { to: '/api-docs', label: 'api', Icon: IconCode, exact: false },
] as const

export function Nav({ onNavigate }: { onNavigate?: () => void }) {
  const { t } = useTranslation('shell')
  return (
    <Stack component="nav" gap={2} aria-label={t('nav')}>
      {items.map(({ to, label, Icon, exact }) => (
        <NavItemLink
          key={to}
          to={to}
          label={t(label)}
          leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
          activeOptions={{ exact, includeSearch: false }}
          activeProps={{ active: true, 'aria-current': 'page' }}
          onClick={onNavigate}
          style={{ borderRadius: 6 }}
        />
      ))}
    </Stack>
  )
}
