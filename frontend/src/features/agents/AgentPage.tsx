import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hasCode } from '@/shared/gql'
import { ChannelsDrawer } from './ChannelsDrawer'
import { FlowStrip } from './FlowStrip'
import { AgentFrame } from './head/AgentFrame'
import { AgentQueryView } from './head/AgentQueryView'
import { NextStep } from './NextStep'
import { type Agent, agentQuery } from './queries'
import { GoneWithDraft } from './saving/GoneWithDraft'
import { type NodeName, nodeButtonId, showNode } from './showNode'

const route = getRouteApi('/_app/agents/$id/')

type Props = {
  /** Where the agent is written and tried. */
  workbench: (agent: Agent) => ReactNode
}

export function AgentPage({ workbench }: Props) {
  const { id } = route.useParams()
  const query = useQuery(agentQuery(id))
  return (
    <AgentFrame id={id}>
      {hasCode(query.error, 'NOT_FOUND') && <GoneWithDraft agentId={id} />}
      <AgentQueryView query={query}>
        {(data) => <AgentView key={data.agent.id} agent={data.agent} workbench={workbench} />}
      </AgentQueryView>
    </AgentFrame>
  )
}

function AgentView({ agent, workbench }: Props & { agent: Agent }) {
  const { node } = route.useSearch()
  const navigate = route.useNavigate()
  const open = (next: NodeName | undefined) => {
    if (next && next === node) showNode(next)
    else void navigate({ search: (old) => ({ ...old, node: next }), resetScroll: false })
  }
  return (
    <Stack gap="md">
      <FlowStrip agent={agent} channelsOpen={node === 'channels'} onOpen={open} />
      <NextStep agent={agent} />
      {workbench(agent)}
      <ChannelsDrawer
        agent={agent}
        opened={node === 'channels'}
        onClose={() => open(undefined)}
        onClosed={() => document.getElementById(nodeButtonId('channels'))?.focus()}
      />
    </Stack>
  )
}
