import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { AgentMark, AppLink } from '@/shared/ui'
import type { Agent } from '../queries'
import { SaveState } from '../saving/SaveState'
import { AgentActions } from './AgentActions'
import classes from './AgentHead.module.css'
import { AgentStatus } from './AgentStatus'
import { AgentTabs } from './AgentTabs'
import { DayUse } from './DayUse'
import { FlowPills } from './FlowPills'
import { PublishButton } from './PublishButton'
import { standingId, usePublishing } from './usePublishing'

type Props = {
  id: string
  /** Undefined while it loads, and if it does not exist. */
  agent: Agent | undefined
  gone: boolean
  /** Before the agent's own actions. */
  actions?: ReactNode
}

/** Who an agent is, its state, what can be done with it, its pages, and the path of a message. */
export function AgentHead({ id, agent, gone, actions }: Props) {
  const { t } = useTranslation('agents')
  const may = useMay('EDITOR')
  const { ask, saving, dialog } = usePublishing(id)
  return (
    <div className={classes.head}>
      <div className={classes.first}>
        <AppLink to="/agents" className={`${classes.back} panel-above`}>
          {t('title')}
        </AppLink>
        {agent && <AgentMark name={agent.name} />}
        <Title order={1} lineClamp={1} className={`${classes.name} panel-user-text`}>
          {agent?.name ?? t('agentTitle')}
        </Title>
        {agent && <AgentStatus agent={agent} id={standingId} onPublish={ask} />}
        <div className={classes.actions}>
          <DayUse agentId={id} live={agent?.state === 'LIVE'} />
          {may && <SaveState agentId={id} />}
          {!gone && actions}
          {agent && may && <PublishButton agent={agent} saving={saving} onClick={ask} />}
          {agent && <AgentActions agent={agent} />}
        </div>
      </div>
      {!gone && (
        <div className={classes.second}>
          <AgentTabs id={id} />
          {agent && <FlowPills agent={agent} />}
        </div>
      )}
      {dialog}
    </div>
  )
}
