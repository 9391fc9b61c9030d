import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { followFirstPage } from '@/shared/gql'
import { useNow } from '@/shared/time'
import { ButtonLink, rangeOf } from '@/shared/ui'
import { type Filters, toFilter } from '../filters'
import { allConversationsQuery, type ListPage } from '../queries'
import { ConversationFilters } from './ConversationFilters'
import { ConversationList } from './ConversationList'
import { Save } from './Save'

type Pages = InfiniteData<{ viewer: { conversations: ListPage } }>

/** The rows do not say whose they are: all are of the page's agent. */
const ofOneAgent = ({ pages, pageParams }: Pages): Pages => ({
  pages: pages.map(({ viewer }) => {
    const nodes = viewer.conversations.nodes.map(({ agent: _, ...row }) => row)
    return { viewer: { conversations: { ...viewer.conversations, nodes } } }
  }),
  pageParams,
})

/** The filters as the address has them, and as the service takes them. On the page of one agent, that agent is fixed. */
function useConversationSearch() {
  const { id: ofAgent } = useParams({ strict: false })
  const { search, text, userId, source, failed, agent, time, from, to } = useSearch({ strict: false })
  const filters: Filters = { search, text, userId, source, failed, agent: ofAgent ?? agent, time, from, to }
  const range = rangeOf(filters, useNow())
  return { filters, ofAgent, backward: !range, filter: toFilter(filters, range ?? {}) }
}

/** Downloads the messages of the filtered conversations. */
export function SaveConversations() {
  const { filter, backward } = useConversationSearch()
  return !backward && <Save filter={filter} />
}

/** The conversations of all agents or of the one in the address, most recent first, with filters. */
export function Conversations() {
  const { t } = useTranslation('conversations')
  const navigate = useNavigate()
  const { filters, ofAgent, backward, filter } = useConversationSearch()
  const query = useInfiniteQuery({
    ...allConversationsQuery(filter),
    placeholderData: keepPreviousData,
    select: ofAgent ? ofOneAgent : undefined,
    enabled: !backward,
    // A search in texts is not repeated.
    refetchInterval: filters.text ? false : followFirstPage,
  })
  return (
    <>
      <ConversationFilters
        filters={filters}
        ofAgent={ofAgent}
        onChange={(part, replace) =>
          void navigate({ to: '.', search: (old) => ({ ...old, ...part }), replace, resetScroll: false })
        }
        onClear={() => void navigate({ to: '.', search: {}, resetScroll: false })}
      />
      {!backward && (
        <ConversationList
          query={query}
          pagesOf={({ pages }) => pages.map((page) => page.viewer.conversations)}
          filters={{ ...filters, agent: ofAgent ? undefined : filters.agent }}
          emptyText={t(ofAgent ? 'emptyText' : 'emptyTextAll')}
          next={
            ofAgent ? (
              <ButtonLink to="/agents/$id" params={{ id: ofAgent }} search={{ try: 'window' }}>
                {t('tryIt')}
              </ButtonLink>
            ) : (
              <ButtonLink to="/agents">{t('agents')}</ButtonLink>
            )
          }
        />
      )}
    </>
  )
}
