import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { followFirstPage } from '@/shared/gql'
import { useNow } from '@/shared/time'
import { ButtonLink, rangeOf, useAgentInAddress, useReturnToRow, useWide } from '@/shared/ui'
import { type Filters, toFilter } from '../filters'
import { allConversationsQuery } from '../queries'
import { Reader } from '../transcript/Reader'
import { ConversationFilters } from './ConversationFilters'
import { ConversationList } from './ConversationList'
import { Save } from './Save'

/**
 * The filters as the address has them, with what it keeps for other views, and as the service takes them. On the page of one agent,
 * that agent is fixed.
 */
function useConversationSearch() {
  const ofAgent = useAgentInAddress()
  const address = useSearch({ strict: false })
  const opens = useMemo(
    () => ({ ...address, agent: ofAgent ?? address.agent, turn: undefined, in: undefined }),
    [address, ofAgent],
  )
  const { search, text, userId, source, failed, rating, agent, time, from, to } = opens
  const filters: Filters = { search, text, userId, source, failed, rating, agent, time, from, to }
  return { filters, opens, ofAgent, filter: toFilter(filters, rangeOf(filters, useNow())) }
}

const useOpened = () => useParams({ from: '/_app/activity/conversations/$id', shouldThrow: false })?.id

/** Downloads the messages of the filtered conversations. */
export function SaveConversations() {
  const { filter } = useConversationSearch()
  const opened = useOpened()
  return !opened && <Save filter={filter} />
}

/** The conversations of all agents or of the one in the address, most recent first, with filters, and the one that is open. */
export function Conversations() {
  const { t } = useTranslation('conversations')
  const navigate = useNavigate()
  const { filters, opens, ofAgent, filter } = useConversationSearch()
  const query = useInfiniteQuery({
    ...allConversationsQuery(filter),
    placeholderData: keepPreviousData,
    // A search in texts is not repeated.
    refetchInterval: filters.text ? false : followFirstPage,
  })
  const ids = query.data?.pages.flatMap((page) => page.viewer.conversations.nodes.map(({ id }) => id)) ?? []
  const opened = useOpened()
  const wide = useWide()
  useReturnToRow(opened)
  const listed = opened !== undefined && ids.includes(opened)
  useEffect(() => {
    if (listed) document.querySelector(`[data-row="${opened}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [listed, opened])
  return (
    <>
      <ConversationFilters
        filters={filters}
        ofAgent={ofAgent}
        onChange={(part, replace) =>
          void navigate({ to: '.', search: (old) => ({ ...old, ...part }), replace, resetScroll: false })
        }
        onClear={() => void navigate({ to: '.', search: {}, resetScroll: false })}
        compact={wide && opened !== undefined}
      />
      <ConversationList
        query={query}
        pagesOf={({ pages }) => pages.map((page) => page.viewer.conversations)}
        filters={{ ...filters, agent: ofAgent ? undefined : filters.agent }}
        opens={opens}
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
      {opened !== undefined && <Reader id={opened} ids={ids} opens={opens} />}
    </>
  )
}
