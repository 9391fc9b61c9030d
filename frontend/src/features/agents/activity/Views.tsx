import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AppLink, showWhole } from '@/shared/ui'
import classes from './Views.module.css'

/** Links to the views: the filters that a view shares with the next one stay. Under an agent, those of the agent. */
export function Views({ agent: ofAgent }: { agent?: string }) {
  const { t } = useTranslation('activity')
  const { agent, agentId, userId, time, from, to } = useSearch({ strict: false })
  const range = { time, from, to }
  const one = agent ?? agentId
  const look = {
    underline: 'never',
    c: 'inherit',
    className: classes.view,
    activeOptions: { exact: true, includeSearch: false },
  } as const

  return (
    <nav className={classes.views} aria-label={t('views')} onFocus={showWhole}>
      {ofAgent ? (
        <>
          <AppLink
            to="/agents/$id/activity/conversations"
            params={{ id: ofAgent }}
            search={{ userId, ...range }}
            {...look}
          >
            {t('conversations')}
          </AppLink>
          <AppLink to="/agents/$id/activity/requests" params={{ id: ofAgent }} search={{ userId, ...range }} {...look}>
            {t('requests')}
          </AppLink>
          <AppLink to="/agents/$id/activity/people" params={{ id: ofAgent }} search={range} {...look}>
            {t('people')}
          </AppLink>
        </>
      ) : (
        <>
          <AppLink to="/activity/conversations" search={{ agent: one, userId, ...range }} {...look}>
            {t('conversations')}
          </AppLink>
          <AppLink to="/activity/requests" search={{ agentId: one, userId, ...range }} {...look}>
            {t('requests')}
          </AppLink>
          <AppLink to="/activity/people" search={{ agent: one, ...range }} {...look}>
            {t('people')}
          </AppLink>
        </>
      )}
    </nav>
  )
}
