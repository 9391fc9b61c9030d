import { AppShell, Group } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSeveralAccounts } from '@/features/auth'
import { AppLink, Brand, ButtonLink, part, usePhone } from '@/shared/ui'
import { AccountButton } from './account/AccountButton'
import { CreditChip } from './CreditChip'
import { Nav } from './navigation/Nav'
import { Progress } from './navigation/Progress'
import { usePlaceKeys } from './navigation/usePlaceKeys'
import { Palette } from './palette/Palette'
import { PaletteButton } from './palette/PaletteButton'

// Not needed on wide screens.
const TabBar = part(() => import('./navigation/TabBar'))
const KeysDialog = part(() => import('./KeysDialog'))
// Few people have several accounts.
const AccountSwitcher = part(() => import('./account/AccountSwitcher'))

/** The layout of the panel: the navigation at the left, on a phone a bar above and one below. When signed out, there is only the bar above. */
export function Shell({ signedIn, children }: { signedIn: boolean; children: ReactNode }) {
  const { t } = useTranslation('shell')
  const phone = usePhone()
  const [keys, setKeys] = useState(false)
  useFocusOnNavigation()
  usePlaceKeys(signedIn, setKeys)
  const several = useSeveralAccounts() && signedIn
  const brand = (
    <AppLink to="/" c="var(--text)" underline="never" className="panel-home">
      <Brand />
    </AppLink>
  )
  const home = several ? (
    <Suspense fallback={brand}>
      <AccountSwitcher />
    </Suspense>
  ) : (
    brand
  )
  const bar = phone || !signedIn
  return (
    <AppShell
      header={bar ? { height: 48 } : undefined}
      navbar={signedIn ? { width: { base: 56, lg: 224 }, breakpoint: 'sm', collapsed: { mobile: true } } : undefined}
      footer={signedIn && phone ? { height: 60 } : undefined}
      padding={{ base: 'md', sm: 'lg' }}
      transitionDuration={0}
    >
      <a className="panel-skip" href="#content">
        {t('skip')}
      </a>
      <Progress />
      {bar && (
        <AppShell.Header className="panel-bar">
          <Group h="100%" px="md" wrap="nowrap" gap="xs">
            {home}
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
      )}
      {signedIn && !phone && (
        <AppShell.Navbar p="xs" className="panel-nav">
          {home}
          <PaletteButton />
          <Nav />
          <div className="panel-nav-foot">
            <CreditChip />
            <AccountButton />
          </div>
        </AppShell.Navbar>
      )}
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
        {children}
      </AppShell.Main>
      {signedIn && phone && (
        <AppShell.Footer>
          <Suspense fallback={null}>
            <TabBar />
          </Suspense>
        </AppShell.Footer>
      )}
      {signedIn && <Palette showKeys={() => setKeys(true)} />}
      {keys && (
        <Suspense fallback={null}>
          <KeysDialog onClose={() => setKeys(false)} />
        </Suspense>
      )}
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
