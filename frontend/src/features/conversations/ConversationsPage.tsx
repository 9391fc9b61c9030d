import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentTabs } from '@/features/agents'
import { followFirstPage } from '@/shared/gql'
import { AppLink, ButtonLink, Page } from '@/shared/ui'
import { ConversationFilters } from './ConversationFilters'
import { ConversationList } from './ConversationList'
import { isBackward, toFilter } from './days'
import { conversationsQuery } from './queries'
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
  // While another agent's conversations load, the previous ones must not be shown.
  const agent = query.data?.pages[0]?.agent
  const name = agent?.id === id ? agent.name : undefined
  return (
    <Page
      title={name === undefined ? t('title') : t('titleOf', { name })}
      description={t('description')}
      actions={!backward && <Save filter={{ ...toFilter(filters), agentId: id }} />}
      above={
        <AppLink to="/agents" size="sm" w="fit-content">
          {t('agents')}
        </AppLink>
      }
    >
      <AgentTabs id={id} />
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
            <ButtonLink to="/agents/$id/playground" params={{ id }}>
              {t('openPlayground')}
            </ButtonLink>
          }
        />
      )}
    </Page>
  )
}
