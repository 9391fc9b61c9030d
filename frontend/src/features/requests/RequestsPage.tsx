import { Box, Paper, Text } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Download } from '@/shared/download'
import { followFirstPage } from '@/shared/gql'
import { ButtonLink, EmptyState, Page, QueryView, ShowMore } from '@/shared/ui'
import { requestsCsv } from './download'
import { requestsQuery, toFilter } from './queries'
import { RequestDrawer } from './RequestDrawer'
import { RequestFilters } from './RequestFilters'
import { RequestsTable } from './RequestsTable'

const route = getRouteApi('/_app/requests')

/** Every request, refused ones included. While only the first page is shown, new requests appear on it. */
export function RequestsPage() {
  const { t } = useTranslation('requests')
  const { id, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery({
    ...requestsQuery(filters),
    placeholderData: keepPreviousData,
    refetchInterval: followFirstPage,
  })
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        <Download
          key={JSON.stringify(filters)}
          name="requests"
          formats={[{ ending: 'csv', read: (control) => requestsCsv(toFilter(filters), control) }]}
        />
      }
    >
      <RequestFilters />
      <QueryView query={query}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.viewer.requests.edges)
          if (rows.length === 0) {
            return query.isPlaceholderData ? null : <Nothing filtered={Object.values(filters).some(Boolean)} />
          }
          return (
            <ShowMore query={query}>
              <Box aria-busy={query.isPlaceholderData} opacity={query.isPlaceholderData ? 0.6 : undefined}>
                <RequestsTable rows={rows} />
              </Box>
              <Text size="sm" c="dimmed" role="status">
                {t(query.hasNextPage ? 'countSoFar' : 'count', { count: rows.length })}
              </Text>
            </ShowMore>
          )
        }}
      </QueryView>
      <RequestDrawer
        id={id}
        onClose={() => void navigate({ search: (old) => ({ ...old, id: undefined }), replace: true })}
      />
    </Page>
  )
}

function Nothing({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('requests')
  return (
    <Paper>
      {filtered ? (
        <EmptyState title={t('noMatch')} text={t('noMatchText')} />
      ) : (
        <EmptyState
          icon={<IconListDetails size={32} stroke={1.4} aria-hidden />}
          title={t('empty')}
          text={t('emptyText')}
          action={<ButtonLink to="/api-docs">{t('docs')}</ButtonLink>}
        />
      )}
    </Paper>
  )
}
