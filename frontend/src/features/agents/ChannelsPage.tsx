import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { agentExportsQuery, ChannelsPanel } from '@/features/exports'
import { followMs } from '@/shared/gql'
import { QueryView, TableShape } from '@/shared/ui'
import { AgentFrame } from './head/AgentFrame'

const route = getRouteApi('/_app/agents/$id/channels')

/** The page on which users create and manage an agent's exports. */
export function ChannelsPage() {
  const { id } = route.useParams()
  const query = useQuery({ ...agentExportsQuery(id), refetchInterval: followMs })
  return (
    <AgentFrame id={id}>
      <QueryView query={query} loading={<TableShape />}>
        {({ agent }) => <ChannelsPanel key={agent.id} agent={agent} />}
      </QueryView>
    </AgentFrame>
  )
}
