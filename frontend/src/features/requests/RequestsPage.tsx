import { Box, Paper, Stack, Text } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Download } from '@/shared/download'
import { followFirstPage } from '@/shared/gql'
import {
  AllTime,
  ButtonLink,
  EmptyState,
  NoMatch,
  QueryView,
  ShowMore,
  SidePanel,
  Steps,
  TableShape,
} from '@/shared/ui'
import { requestsCsv } from './download'
import { Facets } from './Facets'
import { type Filters, pageOf, type RequestRow, requestsQuery } from './queries'
import { RequestDetails } from './RequestDetails'
import { RequestFilters } from './RequestFilters'
import { RequestsTable } from './RequestsTable'
import { useRequestSearch } from './useRequestSearch'

/** Downloads the rows of the list. */
export function SaveRequests() {
  const { asked } = useRequestSearch()
  return (
    <Download
      key={JSON.stringify(asked)}
      name="requests"
      formats={[{ ending: 'csv', read: (control) => requestsCsv(asked, control) }]}
    />
  )
}

/** All requests, with filters. A row opens its details next to the list. New requests appear while only the first page is shown. */
export function Requests() {
  const { t } = useTranslation('requests')
  const { asked, filters, period, id, ofAgent, open } = useRequestSearch()
  const query = useInfiniteQuery({
    ...requestsQuery(asked),
    placeholderData: keepPreviousData,
    // A search in texts is not repeated.
    refetchInterval: asked.ids ? false : followFirstPage,
  })
  const all = query.data?.pages.flatMap((page) => pageOf(page).edges) ?? []
  const isWhole = query.isSuccess && !query.hasNextPage && !query.isPlaceholderData
  return (
    <Stack gap="xs">
      <RequestFilters />
      <Facets period={period} listed={isWhole ? all.filter(({ node }) => !node.replayed) : undefined} />
      <QueryView query={query} loading={<TableShape rows={12} columns={5} />}>
        {() => {
          // A page of a search in texts may be empty although there are more.
          if (all.length === 0 && !query.hasNextPage) {
            return query.isPlaceholderData ? null : (
              <Nothing filters={{ ...filters, agentId: ofAgent ? undefined : filters.agentId }} />
            )
          }
          return (
            <ShowMore query={query}>
              {all.length > 0 && (
                <Box aria-busy={query.isPlaceholderData} opacity={query.isPlaceholderData ? 0.6 : undefined}>
                  <RequestsTable rows={all} open={id} ofAgent={ofAgent !== undefined} />
                </Box>
              )}
              <Text size="sm" c="dimmed" role="status">
                {t(query.hasNextPage ? 'countSoFar' : 'count', { count: all.length })}
              </Text>
            </ShowMore>
          )
        }}
      </QueryView>
      <SidePanel
        id={id}
        title={t('request')}
        actions={<Neighbours id={id} rows={all} onOpen={open} />}
        onClose={() => open(undefined)}
      >
        {id !== undefined && <RequestDetails id={id} />}
      </SidePanel>
    </Stack>
  )
}

type NeighboursProps = { id: string | undefined; rows: RequestRow[]; onOpen: (id: string) => void }

function Neighbours({ id, rows, onOpen }: NeighboursProps) {
  const { t } = useTranslation('requests')
  const at = rows.findIndex(({ node }) => node.id === id)
  const go = (row: RequestRow | undefined) => row && (() => onOpen(row.node.id))
  const to = at < 0 ? {} : { previous: go(rows[at - 1]), next: go(rows[at + 1]) }
  return <Steps go={to} names={{ previous: t('previous'), next: t('next') }} />
}

function Nothing({ filters }: { filters: Filters }) {
  const { t } = useTranslation('requests')
  const ever = filters.time === 'all'
  if (Object.entries(filters).some(([name, value]) => value && (name !== 'time' || !ever))) {
    return <NoMatch title={t('noMatch')} action={(!ever || filters.since) && <AllTime />} />
  }
  return (
    <Paper>
      <EmptyState
        icon={<IconListDetails size={32} stroke={1.4} aria-hidden />}
        title={t(ever ? 'empty' : 'emptyLately')}
        text={t('emptyText')}
        action={ever ? <ButtonLink to="/developers">{t('docs')}</ButtonLink> : <AllTime />}
      />
    </Paper>
  )
}
