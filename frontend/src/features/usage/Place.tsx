import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink, Page, showWhole } from '@/shared/ui'

type Props = {
  tab: 'usage' | 'credits'
  /** Buttons on the heading's right. */
  actions?: ReactNode
  children: ReactNode
}

/** The two pages of what the service costs. */
export function Place({ tab, actions, children }: Props) {
  const { t } = useTranslation('usage')
  const look = {
    underline: 'never',
    activeOptions: { exact: true, includeSearch: false },
    className: 'panel-tab',
  } as const
  return (
    <Page title={t('place')} tabTitle={t(`tabs.${tab}`)} actions={actions}>
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
