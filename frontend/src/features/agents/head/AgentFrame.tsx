import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { OtherAccounts } from '@/features/accounts'
import { followMs, hasCode } from '@/shared/gql'
import { ButtonLink, Missing, Page } from '@/shared/ui'
import { agentQuery } from '../queries'
import { GoneWithDraft } from '../saving/GoneWithDraft'
import { AgentHead } from './AgentHead'

type Props = {
  id: string
  /** The browser tab's title, given the agent's name. */
  tabTitle?: (name: string) => string
  /** Before the agent's own actions. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of every page of an agent. An agent that does not exist has no pages. */
export function AgentFrame({ id, tabTitle, actions, children }: Props) {
  const { t } = useTranslation('agents')
  const query = useQuery({
    ...agentQuery(id),
    refetchInterval: ({ state }) => !hasCode(state.error, 'NOT_FOUND') && followMs,
  })
  const agent = query.data?.agent
  const deleted = hasCode(query.error, 'NOT_FOUND')
  const gone = deleted && !agent
  const back = (
    <ButtonLink to="/agents" variant="default">
      {t('notFound.all')}
    </ButtonLink>
  )
  return (
    <Page
      title={agent?.name ?? t('agentTitle')}
      tabTitle={agent && tabTitle?.(agent.name)}
      head={<AgentHead id={id} agent={agent} gone={gone} actions={actions} />}
    >
      {deleted && <GoneWithDraft agentId={id} />}
      {gone ? <Missing title={t('notFound.title')} back={back} /> : children}
      <OtherAccounts query={query} />
    </Page>
  )
}
