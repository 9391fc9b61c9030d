import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentFilter } from '@/features/choices'
import { followFirstPage } from '@/shared/gql'
import { ButtonLink, Page } from '@/shared/ui'
import { isBackward, toFilter } from '../days'
import { allConversationsQuery } from '../queries'
import { ConversationFilters } from './ConversationFilters'
import { ConversationList } from './ConversationList'
import { Save } from './Save'

const route = getRouteApi('/_app/conversations/')

/** The conversations of all agents, most recent first. */
export function AllConversationsPage() {
  const { t } = useTranslation('conversations')
  const search = route.useSearch()
  const { agent, ...filters } = search
  const navigate = route.useNavigate()
  const backward = isBackward(filters)
  const filter = { ...toFilter(filters), agentId: agent }
  const query = useInfiniteQuery({
    ...allConversationsQuery(filter),
    placeholderData: keepPreviousData,
    enabled: !backward,
    // A search in texts is not repeated.
    refetchInterval: filters.text ? false : followFirstPage,
  })
  const change = (part: typeof search, replace?: boolean) =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace })
  return (
    <Page title={t('title')} description={t('description')} actions={!backward && <Save filter={filter} />}>
      <ConversationFilters filters={search} onChange={change} onClear={() => void navigate({ search: {} })}>
        <AgentFilter value={agent} onChange={(next) => change({ agent: next })} />
      </ConversationFilters>
      {!backward && (
        <ConversationList
          query={query}
          pagesOf={({ pages }) => pages.map((page) => page.viewer.conversations)}
          filters={search}
          emptyText={t('emptyTextAll')}
          next={<ButtonLink to="/agents">{t('agents')}</ButtonLink>}
        />
      )}
    </Page>
  )
}
