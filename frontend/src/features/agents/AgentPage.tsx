import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { QueryView } from '@/shared/ui'
import { BuildShape } from './build/BuildShape'
import { AgentFrame } from './head/AgentFrame'
import { NextStep } from './NextStep'
import { type Agent, agentQuery } from './queries'

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
      <QueryView query={query} loading={<BuildShape />}>
        {({ agent }) => (
          <Stack key={agent.id} gap="md">
            <NextStep agent={agent} />
            {workbench(agent)}
          </Stack>
        )}
      </QueryView>
    </AgentFrame>
  )
}
