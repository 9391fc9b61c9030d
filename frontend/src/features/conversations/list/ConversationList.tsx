import { Box, Paper, Text } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AllTime, EmptyState, NoMatch, QueryView, ShowMore, TableShape } from '@/shared/ui'
import type { Filters } from '../filters'
import type { ListPage } from '../queries'
import { ConversationsTable } from './ConversationsTable'
import { SearchProgress } from './SearchProgress'

type Props<Data> = {
  query: UseInfiniteQueryResult<Data, Error>
  pagesOf: (data: Data) => ListPage[]
  filters: Filters
  /** The filters of the list next to which a row opens. */
  opens: Filters
  /** What to do without any yet. */
  next: ReactNode
  emptyText: string
}

/** The conversations of a query, or why the list is empty. */
export function ConversationList<Data>({ query, pagesOf, filters, opens, ...none }: Props<Data>) {
  const { t } = useTranslation('conversations')
  const pages = query.data ? pagesOf(query.data) : []
  const rows = pages.flatMap(({ nodes }) => nodes)
  const hits = new Map(pages.flatMap(({ edges }) => edges.map((edge) => [edge.node.id, edge.hits])))
  const count = (
    <Text size="sm" c="dimmed" role="status">
      {t(query.hasNextPage ? 'countSoFar' : 'count', { count: rows.length })}
    </Text>
  )
  const table = (
    <Box aria-busy={query.isPlaceholderData} opacity={query.isPlaceholderData ? 0.6 : undefined}>
      <ConversationsTable rows={rows} opens={opens} hits={hits} />
    </Box>
  )
  return (
    <QueryView query={query} loading={<TableShape two />}>
      {() => {
        if (filters.text && !query.isPlaceholderData) {
          return (
            <>
              <SearchProgress
                query={query}
                searchedTo={pages.at(-1)?.searchedTo}
                found={rows.length}
                ever={filters.time === 'all'}
              />
              {rows.length > 0 && table}
            </>
          )
        }
        if (rows.length > 0) {
          return (
            <ShowMore query={query}>
              {table}
              {count}
            </ShowMore>
          )
        }
        return query.isPlaceholderData ? null : <Nothing filters={filters} {...none} />
      }}
    </QueryView>
  )
}

type NothingProps = Pick<Props<unknown>, 'filters' | 'emptyText' | 'next'>

function Nothing({ filters: { time, ...others }, emptyText, next }: NothingProps) {
  const { t } = useTranslation('conversations')
  const ever = time === 'all'
  if (Object.values(others).some(Boolean) || (time && !ever)) {
    return <NoMatch title={t('noMatch')} action={!ever && <AllTime />} />
  }
  return (
    <Paper>
      <EmptyState
        icon={<IconMessages size={32} stroke={1.4} aria-hidden />}
        title={t(ever ? 'empty' : 'emptyLately')}
        text={emptyText}
        action={ever ? next : <AllTime />}
      />
    </Paper>
  )
}
