import { Box, Paper, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { followFirstPage } from '@/shared/gql'
import { ButtonLink, EmptyState, Page, QueryView, ShowMore } from '@/shared/ui'
import { PeopleFilters } from './PeopleFilters'
import { PeopleTable } from './PeopleTable'
import { peopleQuery } from './queries'

const route = getRouteApi('/_app/people/')

/** Everybody whom the account's callers name by user_id. */
export function PeoplePage() {
  const { t } = useTranslation('people')
  const { search, agent, blocked } = route.useSearch()
  const query = useInfiniteQuery({
    ...peopleQuery({ search: search || undefined, agentId: agent, blocked }),
    placeholderData: keepPreviousData,
    refetchInterval: followFirstPage,
  })
  const rows = query.data?.pages.flatMap((page) => page.viewer.endUsers.nodes) ?? []
  return (
    <Page title={t('title')} description={t('description')}>
      <PeopleFilters />
      <QueryView query={query}>
        {() => {
          if (rows.length === 0) {
            return query.isPlaceholderData ? null : <Nothing filtered={Boolean(search || agent || blocked)} />
          }
          return (
            <ShowMore query={query}>
              <Box aria-busy={query.isPlaceholderData} opacity={query.isPlaceholderData ? 0.6 : undefined}>
                <PeopleTable rows={rows} agent={agent} />
              </Box>
              <Text size="sm" c="dimmed" role="status">
                {t(query.hasNextPage ? 'countSoFar' : 'count', { count: rows.length })}
              </Text>
            </ShowMore>
          )
        }}
      </QueryView>
    </Page>
  )
}

function Nothing({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('people')
  return (
    <Paper>
      {filtered ? (
        <EmptyState title={t('noMatch')} text={t('noMatchText')} />
      ) : (
        <EmptyState
          icon={<IconUsers size={32} stroke={1.4} aria-hidden />}
          title={t('empty')}
          text={t('emptyText')}
          action={<ButtonLink to="/api-docs">{t('docs')}</ButtonLink>}
        />
      )}
    </Paper>
  )
}
