import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AppLink, showWhole } from '@/shared/ui'
import classes from './Views.module.css'

/** Links to the views, with the filters: each view keeps those of the others. Under an agent, those of the agent. */
export function Views({ agent: ofAgent }: { agent?: string }) {
  const { t } = useTranslation('activity')
  const kept = useKept()
  const { agent, agentId = agent } = useSearch({ strict: false })
  const look = {
    underline: 'never',
    c: 'inherit',
    className: classes.view,
    activeOptions: { includeSearch: false },
  } as const
  const of = { params: { id: ofAgent ?? '' }, search: kept, ...look }

  return (
    <nav className={classes.views} aria-label={t('views')} onFocus={showWhole}>
      {ofAgent ? (
        <>
          <AppLink to="/agents/$id/activity/conversations" {...of}>
            {t('conversations')}
          </AppLink>
          <AppLink to="/agents/$id/activity/requests" {...of}>
            {t('requests')}
          </AppLink>
          <AppLink to="/agents/$id/activity/people" {...of}>
            {t('people')}
          </AppLink>
        </>
      ) : (
        <>
          <AppLink to="/activity/conversations" search={{ ...kept, agent: agentId }} {...look}>
            {t('conversations')}
          </AppLink>
          <AppLink to="/activity/requests" search={{ ...kept, agentId }} {...look}>
            {t('requests')}
          </AppLink>
          <AppLink to="/activity/people" search={{ ...kept, agent: agentId }} {...look}>
            {t('people')}
          </AppLink>
        </>
      )}
    </nav>
  )
}

/** The filters but the agent, and but `search`, which means something else in each view. */
function useKept() {
  const search = useSearch({ strict: false })
  const { text, userId, source, failed, exportId, code, outcome, blocked, time, from, to } = search
  return { text, userId, source, failed, exportId, code, outcome, blocked, time, from, to }
}
