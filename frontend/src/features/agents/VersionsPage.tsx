import { usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { VersionList, versionsQuery } from '@/features/versions'
import { QueryView, TableShape } from '@/shared/ui'
import { AgentFrame } from './head/AgentFrame'
import { PublishButton } from './head/PublishButton'
import { usePublishing } from './head/usePublishing'
import { agentQuery } from './queries'

const route = getRouteApi('/_app/agents/$id/versions')

/** What an agent's versions changed. The open one is in the URL. */
export function VersionsPage() {
  const { t } = useTranslation('versions')
  const { id } = route.useParams()
  const { open, against } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(agentQuery(id))
  const may = useMay('EDITOR')
  const { ask, saving, dialog } = usePublishing(id)
  usePrefetchInfiniteQuery(versionsQuery(id)) // along with the agent
  return (
    <AgentFrame id={id} tabTitle={(name) => t('titleOf', { name })}>
      <QueryView query={query} loading={<TableShape columns={5} />}>
        {({ agent }) => (
          <VersionList
            key={agent.id}
            agent={agent}
            open={open}
            against={against}
            publish={may && <PublishButton agent={agent} saving={saving} onClick={ask} />}
            onShow={(shown) => void navigate({ search: shown, resetScroll: false })}
          />
        )}
      </QueryView>
      {dialog}
    </AgentFrame>
  )
}
