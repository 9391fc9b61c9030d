import { UnstyledButton } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOpening } from '@/shared/navigation/opening'
import { AppLink, part } from '@/shared/ui'
import { isIn, pages } from '../pages'

const NavDrawer = part(() => import('./NavDrawer'))

/** The places that a phone has at its foot. The others are under More. */
export default function TabBar() {
  const { t } = useTranslation('shell')
  const pathname = useLocation({ select: (location) => location.pathname })
  const target = useOpening() ?? pathname
  const [opened, setOpened] = useState(false)
  return (
    <>
      <nav className="panel-tabbar" aria-label={t('nav')}>
        {pages.slice(0, 4).map((page) => (
          <AppLink
            key={page.to}
            to={page.to}
            underline="never"
            c="inherit"
            aria-current={isIn(page, pathname) ? 'page' : undefined}
            data-active={isIn(page, target) || undefined}
          >
            <page.Icon size={20} stroke={1.6} aria-hidden />
            {t(page.label === 'exports' ? 'exportsShort' : page.label)}
          </AppLink>
        ))}
        <UnstyledButton aria-haspopup="dialog" onClick={() => setOpened(true)}>
          <IconDots size={20} stroke={1.6} aria-hidden />
          {t('more')}
        </UnstyledButton>
      </nav>
      {opened && (
        <Suspense fallback={null}>
          <NavDrawer onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
