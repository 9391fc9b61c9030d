import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentFrame } from '@/features/agents'
import { followFirstPage } from '@/shared/gql'
import { ButtonLink } from '@/shared/ui'
import { isBackward, toFilter } from '../days'
import { conversationsQuery } from '../queries'
import { ConversationFilters } from './ConversationFilters'
import { ConversationList } from './ConversationList'
import { Save } from './Save'

const route = getRouteApi('/_app/agents/$id/conversations')

/** An agent's conversations, most recent first. */
export function ConversationsPage() {
  const { t } = useTranslation('conversations')
  const { id } = route.useParams()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const backward = isBackward(filters)
  const query = useInfiniteQuery({
    ...conversationsQuery(id, toFilter(filters)),
    placeholderData: keepPreviousData,
    enabled: !backward,
    // A search in texts is not repeated.
    refetchInterval: filters.text ? false : followFirstPage,
  })
  return (
    <AgentFrame
      id={id}
      tabTitle={(name) => t('titleOf', { name })}
      actions={!backward && <Save filter={{ ...toFilter(filters), agentId: id }} />}
    >
      <ConversationFilters
        filters={filters}
        onChange={(part, replace) => void navigate({ search: (old) => ({ ...old, ...part }), replace })}
        onClear={() => void navigate({ search: {} })}
      />
      {!backward && (
        <ConversationList
          query={query}
          pagesOf={({ pages }) => pages.flatMap((page) => (page.agent.id === id ? page.agent.conversations : []))}
          filters={filters}
          emptyText={t('emptyText')}
          next={
            <ButtonLink to="/agents/$id" params={{ id }} search={{ try: 'window' }}>
              {t('tryIt')}
            </ButtonLink>
          }
        />
      )}
    </AgentFrame>
  )
}
