import { AppShell, Box, Burger, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink, Brand, ButtonLink } from '@/shared/ui'
import { AccountButton } from './AccountButton'
import { CreditChip } from './CreditChip'
import { Nav } from './Nav'
import { NavFoot } from './NavFoot'
import { PaletteButton } from './PaletteButton'

const mobileOnly = 'sm'

// Not needed on wide screens.
const NavDrawer = lazy(() => import('./NavDrawer'))

/** The layout of the panel: header, navigation, and the page. When signed out, there is only a header. */
export function Shell({ signedIn, children }: { signedIn: boolean; children: ReactNode }) {
  const { t } = useTranslation('shell')
  const [opened, { toggle, close }] = useDisclosure(false)
  useFocusOnNavigation()
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={signedIn ? { width: 220, breakpoint: mobileOnly, collapsed: { mobile: true } } : undefined}
      padding={{ base: 'md', sm: 'lg' }}
      transitionDuration={0}
    >
      <a className="panel-skip" href="#content">
        {t('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" wrap="nowrap" gap="xs">
          {signedIn && (
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom={mobileOnly}
              size="sm"
              aria-label={t('menu')}
              aria-expanded={opened}
            />
          )}
          <AppLink to="/" c="var(--text)" underline="never" className="panel-home">
            <Brand />
          </AppLink>
          {signedIn ? (
            <>
              <PaletteButton />
              <CreditChip />
              <AccountButton />
            </>
          ) : (
            <SignInLink />
          )}
        </Group>
      </AppShell.Header>
      {signedIn && (
        <>
          <AppShell.Navbar p="xs">
            <Box visibleFrom={mobileOnly}>
              <Nav />
            </Box>
            <NavFoot />
          </AppShell.Navbar>
          {opened && (
            <Suspense fallback={null}>
              <NavDrawer onClose={close} />
            </Suspense>
          )}
        </>
      )}
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
        {children}
      </AppShell.Main>
    </AppShell>
  )
}

function SignInLink() {
  const { t } = useTranslation('shell')
  const next = useRouterState({ select: (state) => state.location.href })
  return (
    <ButtonLink to="/login" search={{ next }} size="xs" variant="default">
      {t('signIn')}
    </ButtonLink>
  )
}

/** Moves the focus to the top of a new page, unless the page has set it already. */
function useFocusOnNavigation() {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const first = useRouterState({ select: (state) => state.resolvedLocation === undefined })
  useEffect(() => {
    if (path === undefined || first) return
    const before = document.body.dataset.panelPath
    document.body.dataset.panelPath = path
    const focused = document.activeElement
    if (focused && focused !== document.body && !focused.closest('nav, header, [role="dialog"]')) return
    if (before !== undefined && before !== path) document.getElementById('content')?.focus({ preventScroll: true })
  }, [path, first])
}
