import { Stack } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOpening } from '@/shared/navigation/opening'
import { NavItemLink, useWide } from '@/shared/ui'
import { isIn, pages } from '../pages'

/** The places; in the drawer of a phone, those that its foot lacks. */
export function Nav({ onNavigate }: { onNavigate?: () => void }) {
  const { t } = useTranslation('shell')
  const pathname = useLocation({ select: (location) => location.pathname })
  const target = useOpening() ?? pathname
  const wide = useWide()
  return (
    <Stack component="nav" gap={2} aria-label={t('nav')}>
      {pages.slice(onNavigate && 4).map((page) => (
        <NavItemLink
          key={page.to}
          to={page.to}
          label={t(page.label)}
          title={wide || onNavigate ? undefined : t(page.label)} // there it is an icon
          leftSection={<page.Icon size={16} stroke={1.6} aria-hidden />}
          active={isIn(page, target)}
          aria-current={isIn(page, pathname) ? 'page' : undefined}
          onClick={onNavigate}
        />
      ))}
    </Stack>
  )
}
