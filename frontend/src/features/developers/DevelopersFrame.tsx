import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink, Page, showWhole } from '@/shared/ui'

type Props = { title: string; description?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A page about one of the two APIs, with a link to the other. */
export function DevelopersFrame({ title, children, ...head }: Props) {
  const { t } = useTranslation('developers')
  const look = {
    underline: 'never',
    activeOptions: { exact: true, includeSearch: false },
    className: 'panel-tab',
  } as const
  return (
    <Page title={t('title')} tabTitle={`${title} · ${t('title')}`} {...head}>
      <nav className="panel-tabs" aria-label={t('title')} onFocus={showWhole}>
        <AppLink to="/developers" {...look}>
          {t('reference')}
        </AppLink>
        <AppLink to="/developers/graphql" {...look}>
          {t('graphql')}
        </AppLink>
      </nav>
      {children}
    </Page>
  )
}
