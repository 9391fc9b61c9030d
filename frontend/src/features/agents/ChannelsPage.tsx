import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { LoadingState, part } from '@/shared/ui'
import { AgentFrame } from './head/AgentFrame'
import { AgentQueryView } from './head/AgentQueryView'
import { agentQuery } from './queries'

const route = getRouteApi('/_app/agents/$id/channels')
const ChannelsPanel = part(async () => ({ default: (await import('@/features/exports')).ChannelsPanel }))

/** The page on which users create and manage an agent's exports. */
export function ChannelsPage() {
  const { id } = route.useParams()
  const query = useQuery(agentQuery(id))
  return (
    <AgentFrame id={id}>
      <AgentQueryView query={query}>
        {({ agent }) => (
          <Suspense fallback={<LoadingState rows={3} />}>
            <ChannelsPanel
              key={agent.id}
              agentId={agent.id}
              agentName={agent.name}
              agentState={agent.state}
              sandbox={agent.model?.sandbox ?? false}
            />
          </Suspense>
        )}
      </AgentQueryView>
    </AgentFrame>
  )
}
