import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AgentMark, AppLink } from '@/shared/ui'
import type { Agent } from '../queries'
import { SaveState } from '../saving/SaveState'
import { AgentActions } from './AgentActions'
import classes from './AgentHead.module.css'
import { AgentStatus } from './AgentStatus'
import { AgentTabs } from './AgentTabs'

const standingId = 'agent-standing'

type Props = {
  id: string
  /** Undefined while it loads, and when it is not there. */
  agent: Agent | undefined
  /** Before the agent's own actions. */
  actions?: ReactNode
}

/** Who an agent is, what callers get, what can be done with it, and its pages. */
export function AgentHead({ id, agent, actions }: Props) {
  const { t } = useTranslation('agents')
  return (
    <div className={classes.head}>
      <AppLink to="/agents" className={`${classes.back} panel-above`}>
        {t('title')}
      </AppLink>
      {agent ? <AgentMark name={agent.name} /> : <span />}
      <Title order={1} lineClamp={2} className="panel-user-text">
        {agent?.name ?? t('agentTitle')}
      </Title>
      {agent && <AgentStatus agent={agent} id={standingId} />}
      <div className={classes.actions}>
        <SaveState agentId={id} />
        {actions}
        {agent && <AgentActions agent={agent} standingId={standingId} />}
      </div>
      <div className={classes.tabs}>
        <AgentTabs id={id} />
      </div>
    </div>
  )
}
