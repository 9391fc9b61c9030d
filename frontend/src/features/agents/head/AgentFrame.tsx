import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { OtherAccounts } from '@/features/accounts'
import { followMs } from '@/shared/gql'
import { Page } from '@/shared/ui'
import { agentQuery } from '../queries'
import { AgentHead } from './AgentHead'

type Props = {
  id: string
  /** The browser tab's title, given the agent's name. */
  tabTitle?: (name: string) => string
  /** Before the agent's own actions. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of every page of an agent. */
export function AgentFrame({ id, tabTitle, actions, children }: Props) {
  const { t } = useTranslation('agents')
  const query = useQuery({ ...agentQuery(id), refetchInterval: followMs })
  const agent = query.data?.agent
  return (
    <Page
      title={agent?.name ?? t('agentTitle')}
      tabTitle={agent && tabTitle?.(agent.name)}
      head={<AgentHead id={id} agent={agent} actions={actions} />}
    >
      {children}
      <OtherAccounts query={query} />
    </Page>
  )
}
