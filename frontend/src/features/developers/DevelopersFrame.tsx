import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavItemLink, Page, SubPages } from '@/shared/ui'

type Props = { title: string; description?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A page for developers, with links to the others. */
export function DevelopersFrame({ title, description, actions, children }: Props) {
  const { t } = useTranslation('developers')
  const look = {
    activeOptions: { exact: true, includeSearch: false, includeHash: false },
    activeProps: { active: true, 'aria-current': 'page' },
  } as const
  const links = (
    <>
      <NavItemLink to="/developers" label={t('quickstart')} {...look} />
      <NavItemLink to="/developers/reference" label={t('reference')} {...look} />
      <NavItemLink to="/developers/graphql" label={t('graphql')} {...look} />
      <NavItemLink to="/developers/tokens" label={t('tokens')} {...look} />
    </>
  )
  return (
    <Page title={title} description={description} actions={actions}>
      <SubPages label={t('pages')} links={links}>
        {children}
      </SubPages>
    </Page>
  )
}
