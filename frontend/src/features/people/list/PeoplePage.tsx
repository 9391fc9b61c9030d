import { Box, Paper, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { followFirstPage } from '@/shared/gql'
import { useNow } from '@/shared/time'
import { AllTime, ButtonLink, EmptyState, NoMatch, QueryView, rangeOf, ShowMore, TableShape } from '@/shared/ui'
import { peopleQuery } from '../queries'
import { PeopleFilters } from './PeopleFilters'
import { PeopleTable } from './PeopleTable'
import { usePeopleSearch } from './usePeopleSearch'

/** Everybody whom the callers of the account, or of the agent in the address, name by user_id. */
export function People() {
  const { t } = useTranslation('people')
  const { filters, change } = usePeopleSearch()
  const { search, agent, blocked, order = 'LAST_SEEN' } = filters
  const query = useInfiniteQuery({
    ...peopleQuery({ search: search || undefined, agentId: agent, blocked, ...rangeOf(filters, useNow()) }, order),
    placeholderData: keepPreviousData,
    refetchInterval: followFirstPage,
  })
  const rows = query.data?.pages.flatMap((page) => page.viewer.endUsers.nodes) ?? []
  return (
    <>
      <PeopleFilters />
      <QueryView query={query} loading={<TableShape rows={10} />}>
        {() => {
          // The latest come in pages that may be empty although there are more.
          if (rows.length === 0 && !query.hasNextPage) return query.isPlaceholderData ? null : <Nothing />
          return (
            <ShowMore query={query}>
              {rows.length > 0 && (
                <Box aria-busy={query.isPlaceholderData} opacity={query.isPlaceholderData ? 0.6 : undefined}>
                  <PeopleTable
                    rows={rows}
                    agent={agent}
                    order={order}
                    onOrder={(next) => change({ order: next === 'USER_ID' ? next : undefined })}
                  />
                </Box>
              )}
              <Text size="sm" c="dimmed" role="status">
                {t(query.hasNextPage ? 'countSoFar' : 'count', { count: rows.length })}
              </Text>
              <Text size="sm" c="dimmed">
                {t('description')}
              </Text>
            </ShowMore>
          )
        }}
      </QueryView>
    </>
  )
}

function Nothing() {
  const { t } = useTranslation('people')
  const { count, filters } = usePeopleSearch()
  const ever = filters.time === 'all'
  if (filters.search || count > (ever ? 1 : 0)) {
    return <NoMatch title={t('noMatch')} action={!ever && <AllTime />} />
  }
  return (
    <Paper>
      <EmptyState
        icon={<IconUsers size={32} stroke={1.4} aria-hidden />}
        title={t(ever ? 'empty' : 'emptyLately')}
        text={t('emptyText')}
        action={ever ? <ButtonLink to="/developers">{t('docs')}</ButtonLink> : <AllTime />}
      />
    </Paper>
  )
}
