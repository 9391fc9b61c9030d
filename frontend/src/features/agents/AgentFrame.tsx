import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { followMs } from '@/shared/gql'
import { AgentMark, AppLink, Page } from '@/shared/ui'
import { AgentActions } from './AgentActions'
import { AgentTabs } from './AgentTabs'
import { agentQuery } from './queries'
import { Standing } from './Standing'
import { SaveState } from './saving/SaveState'

const standingId = 'agent-standing'

type Props = {
  id: string
  /** The browser tab's title, given the agent's name. */
  tabTitle?: (name: string) => string
  /** Before the agent's own actions. */
  actions?: ReactNode
  /** For pages that fill the window. */
  task?: boolean
  children: ReactNode
}

/** The head of every page of an agent: who it is, what callers get, what can be done with it, and its pages. */
export function AgentFrame({ id, tabTitle, actions, task, children }: Props) {
  const { t } = useTranslation('agents')
  const query = useQuery({ ...agentQuery(id), refetchInterval: followMs })
  const agent = query.data?.agent
  return (
    <Page
      task={task}
      title={agent?.name ?? t('agentTitle')}
      tabTitle={agent && tabTitle?.(agent.name)}
      above={
        <AppLink to="/agents" size="sm" w="fit-content">
          {t('title')}
        </AppLink>
      }
      mark={agent && <AgentMark name={agent.name} />}
      description={agent && <Standing agent={agent} id={standingId} />}
      actions={
        <>
          <SaveState agentId={id} />
          {actions}
          {agent && <AgentActions agent={agent} standingId={standingId} />}
        </>
      }
    >
      <AgentTabs id={id} />
      {children}
    </Page>
  )
}
