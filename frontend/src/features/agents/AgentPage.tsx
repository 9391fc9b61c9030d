import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { followMs } from '@/shared/gql'
import { AppLink, Page, QueryView } from '@/shared/ui'
import { AgentActions } from './AgentActions'
import { AgentDrawer, type NodeName, nodeButtonId } from './AgentDrawer'
import { AgentTabs } from './AgentTabs'
import { FlowStrip } from './FlowStrip'
import { type Agent, agentQuery } from './queries'
import { Standing } from './Standing'

const route = getRouteApi('/_app/agents/$id/')
const standingId = 'agent-standing'

type Props = {
  /** Where the agent is written and tried. */
  workbench: (agent: Agent) => ReactNode
}

export function AgentPage({ workbench }: Props) {
  const { t } = useTranslation('agents')
  const { id } = route.useParams()
  const query = useQuery({ ...agentQuery(id), refetchInterval: followMs })
  const agent = query.data?.agent
  return (
    <Page
      title={agent?.name ?? t('agentTitle')}
      above={
        <AppLink to="/agents" size="sm" w="fit-content">
          {t('title')}
        </AppLink>
      }
      description={
        agent && (
          <Text span inherit className="panel-user-text">
            {agent.description}
          </Text>
        )
      }
      actions={agent && <AgentActions agent={agent} standingId={standingId} />}
    >
      <QueryView query={query}>
        {(data) => <AgentView key={data.agent.id} agent={data.agent} workbench={workbench} />}
      </QueryView>
    </Page>
  )
}

function AgentView({ agent, workbench }: Props & { agent: Agent }) {
  const { node } = route.useSearch()
  const navigate = route.useNavigate()
  const open = (next: NodeName | undefined) => void navigate({ search: (old) => ({ ...old, node: next }) })
  return (
    <Stack gap="md">
      <AgentTabs id={agent.id} />
      <Standing agent={agent} id={standingId} />
      <FlowStrip agent={agent} open={node} onOpen={open} />
      {workbench(agent)}
      <AgentDrawer
        agent={agent}
        node={node}
        onClose={() => open(undefined)}
        onClosed={(closed) => document.getElementById(nodeButtonId(closed))?.focus()}
      />
    </Stack>
  )
}
