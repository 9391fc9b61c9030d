import { useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AppLink } from '@/shared/ui'

/** The pages of one agent; those of its activity stand below their tab. */
export function AgentTabs({ id }: { id: string }) {
  const { t } = useTranslation('agents')
  const active = useRouterState({ select: ({ location }) => /\/(conversations|usage)$/.test(location.pathname) })
  const look = {
    params: { id },
    underline: 'never',
    activeOptions: { exact: true, includeSearch: false },
    className: 'panel-tab',
  } as const
  return (
    <>
      <nav className="panel-tabs" aria-label={t('pages')}>
        <AppLink to="/agents/$id" {...look}>
          {t('build')}
        </AppLink>
        <AppLink to="/agents/$id/channels" {...look}>
          {t('node.channels')}
        </AppLink>
        <AppLink to="/agents/$id/playground" {...look}>
          {t('playground')}
        </AppLink>
        <AppLink to="/agents/$id/conversations" {...look} {...(active && { 'aria-current': 'true' })}>
          {t('activity')}
        </AppLink>
        <AppLink to="/agents/$id/versions" {...look}>
          {t('versions')}
        </AppLink>
      </nav>
      {active && <ActivityPages id={id} />}
    </>
  )
}

/** What happened with one agent, and what it cost. */
function ActivityPages({ id }: { id: string }) {
  const { t } = useTranslation('agents')
  const look = {
    underline: 'never',
    activeOptions: { exact: true, includeSearch: false },
    className: 'panel-subtab',
  } as const
  return (
    <nav className="panel-subtabs" aria-label={t('activity')}>
      <AppLink to="/agents/$id/conversations" params={{ id }} {...look}>
        {t('conversations')}
      </AppLink>
      <AppLink to="/agents/$id/usage" params={{ id }} {...look}>
        {t('usage')}
      </AppLink>
    </nav>
  )
}
