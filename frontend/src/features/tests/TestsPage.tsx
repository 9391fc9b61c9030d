import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentFrame, agentQuery } from '@/features/agents'
import { QueryView, TableShape } from '@/shared/ui'
import { NewCase, OpenCase } from './form/CasePage'
import { TestCases } from './list/TestCases'
import { RunPage } from './runs/RunPage'

const route = getRouteApi('/_app/agents/$id/tests')

/** The test cases of an agent, or the open one. The open one is in the URL. */
export function TestsPage() {
  const { t } = useTranslation('tests')
  const { id } = route.useParams()
  const { case: open, ofTurn, run } = route.useSearch()
  const query = useQuery(agentQuery(id))
  return (
    <AgentFrame id={id} tabTitle={(name) => t('titleOf', { name })}>
      <QueryView query={query} loading={<TableShape columns={5} />}>
        {({ agent }) => {
          if (open === 'new') return <NewCase key={ofTurn} agent={agent} turnId={ofTurn} />
          if (open) return <OpenCase key={open} agent={agent} id={open} />
          if (run) return <RunPage key={run} agentId={agent.id} id={run} />
          return <TestCases key={agent.id} agent={agent} />
        }}
      </QueryView>
    </AgentFrame>
  )
}
