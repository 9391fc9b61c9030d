import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentTabs, agentQuery } from '@/features/agents'
import { AppLink, Page, QueryView } from '@/shared/ui'
import { Workbench } from './Workbench'

const route = getRouteApi('/_app/agents/$id/playground')

/** Tries an agent out: a conversation with it on the left, its instructions on the right. */
export function PlaygroundPage() {
  const { t } = useTranslation('playground')
  const { id } = route.useParams()
  const query = useQuery(agentQuery(id))
  const name = query.data?.agent.name
  return (
    <Page
      task
      title={name === undefined ? t('title') : t('titleOf', { name })}
      description={t('description')}
      above={
        <AppLink to="/agents" size="sm" w="fit-content">
          {t('agents')}
        </AppLink>
      }
    >
      <AgentTabs id={id} />
      {/* Another agent starts another conversation. */}
      <QueryView query={query}>{({ agent }) => <Workbench key={agent.id} agent={agent} />}</QueryView>
    </Page>
  )
}
