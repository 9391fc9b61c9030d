import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentFrame, agentQuery } from '@/features/agents'
import { QueryView } from '@/shared/ui'
import { Workbench } from './Workbench'

const route = getRouteApi('/_app/agents/$id/playground')

/** Tries an agent out: a conversation with it on the left, its instructions on the right. */
export function PlaygroundPage() {
  const { t } = useTranslation('playground')
  const { id } = route.useParams()
  const query = useQuery(agentQuery(id))
  return (
    <AgentFrame id={id} task tabTitle={(name) => t('titleOf', { name })}>
      {/* Another agent starts another conversation. */}
      <QueryView query={query}>{({ agent }) => <Workbench key={agent.id} agent={agent} />}</QueryView>
    </AgentFrame>
  )
}
