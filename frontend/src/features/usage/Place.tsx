import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useViewer } from '@/features/auth'
import { AppLink, Page, PrintHead, showWhole } from '@/shared/ui'

type Props = {
  tab: 'usage' | 'credits'
  /** Buttons on the heading's right, before Print. */
  actions?: ReactNode
  /** The period, for paper. */
  period?: string
  children: ReactNode
}

/** The two pages of what the service costs. */
export function Place({ tab, actions, period, children }: Props) {
  const { t } = useTranslation('usage')
  const account = useViewer().data?.viewer.name
  const look = {
    underline: 'never',
    activeOptions: { exact: true, includeSearch: false },
    className: 'panel-tab',
  } as const
  return (
    <Page
      title={t('place')}
      tabTitle={t(`tabs.${tab}`)}
      actions={
        <>
          {actions}
          <Button variant="default" onClick={() => window.print()}>
            {t('print')}
          </Button>
        </>
      }
    >
      <PrintHead account={account} period={period} />
      <nav className="panel-tabs" aria-label={t('place')} onFocus={showWhole}>
        <AppLink to="/usage" {...look}>
          {t('tabs.usage')}
        </AppLink>
        <AppLink to="/usage/credits" {...look}>
          {t('tabs.credits')}
        </AppLink>
      </nav>
      {children}
    </Page>
  )
}
