import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { AgentRequirement } from '@/gql/graphql'
import { AppLink } from '@/shared/ui'
import type { Agent } from '../queries'
import { StateBadge } from '../StateBadge'
import type { NodeName } from '../showNode'
import classes from './AgentHead.module.css'

const nodeOfRequirement: Record<AgentRequirement, NodeName> = { NAME: 'agent', INSTRUCTIONS: 'agent', MODEL: 'model' }

/** The state of the agent for callers, and what the draft lacks for publishing. A narrow page hides the sentence. */
export function AgentStatus({ agent, id }: { agent: Agent; id: string }) {
  const { t } = useTranslation('agents')
  const lacking = agent.missing.length > 0
  const text = textOf(agent)
  return (
    <span
      id={id}
      role="status"
      tabIndex={-1}
      className={`${classes.standing} panel-description`}
      data-lacking={lacking || undefined}
    >
      <StateBadge agent={agent} />
      {text && <span className={classes.sentence}>{t(text, { number: agent.publishedVersion?.number })}</span>}
      {lacking && (
        <span className={classes.lacks}>
          {t('lacks')}{' '}
          {agent.missing.map((requirement, at) => (
            <Fragment key={requirement}>
              {at > 0 && ' · '}
              <AppLink
                to="/agents/$id"
                params={{ id: agent.id }}
                search={{ node: nodeOfRequirement[requirement] }}
                underline="always"
                inherit
              >
                {t(`requirement.${requirement}`)}
              </AppLink>
            </Fragment>
          ))}
        </span>
      )}
    </span>
  )
}

function textOf({ state, missing, hasUnpublishedChanges: changed }: Agent) {
  if (state === 'LIVE') return changed && 'standing.changed'
  if (state === 'OFFLINE') return changed ? 'standing.offlineChanged' : 'standing.offline'
  return missing.length > 0 ? 'standing.lacking' : 'standing.ready'
}
