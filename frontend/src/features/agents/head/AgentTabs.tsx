import { useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AppLink, showWhole } from '@/shared/ui'

/** The pages of one agent. */
export function AgentTabs({ id }: { id: string }) {
  const { t } = useTranslation('agents')
  const inActivity = useLocation({ select: ({ pathname }) => pathname.startsWith(`/agents/${id}/activity/`) })
  const look = {
    params: { id },
    underline: 'never',
    activeOptions: { exact: true, includeSearch: false },
    className: 'panel-tab',
  } as const
  return (
    <nav className="panel-tabs" aria-label={t('pages')} onFocus={showWhole}>
      <AppLink to="/agents/$id" {...look}>
        {t('build')}
      </AppLink>
      <AppLink to="/agents/$id/channels" {...look}>
        {t('node.channels')}
      </AppLink>
      <AppLink to="/agents/$id/activity/conversations" {...look} aria-current={inActivity ? 'page' : undefined}>
        {t('activity')}
      </AppLink>
      <AppLink to="/agents/$id/tests" {...look}>
        {t('tests')}
      </AppLink>
      <AppLink to="/agents/$id/versions" {...look}>
        {t('versions')}
      </AppLink>
    </nav>
  )
}
