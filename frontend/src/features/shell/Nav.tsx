import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NavItemLink } from '@/shared/ui'
import { pages } from './pages'

export function Nav({ onNavigate }: { onNavigate?: () => void }) {
  const { t } = useTranslation('shell')
  return (
    <Stack component="nav" gap={2} aria-label={t('nav')}>
      {pages.map(({ to, label, Icon, exact }) => (
        <NavItemLink
          key={to}
          to={to}
          label={t(label)}
          leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
          activeOptions={{ exact, includeSearch: false }}
          activeProps={{ active: true, 'aria-current': 'page' }}
          onClick={onNavigate}
        />
      ))}
    </Stack>
  )
}
