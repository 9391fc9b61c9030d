import { Button, Paper, Stack, Title } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState, QueryView, ShowMore } from '@/shared/ui'
import { CsvDownload } from './CsvDownload'
import { Filters } from './Filters'
import { filterOf, isFiltered } from './filter'
import { HistoryTable } from './HistoryTable'
import { historyQuery } from './queries'

const route = getRouteApi('/_app/credits')

/** Every grant, charge and adjustment that matches the filters. */
export function HistorySection() {
  const { t } = useTranslation('credits')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const filter = filterOf(search)
  const history = useInfiniteQuery({ ...historyQuery(filter), placeholderData: keepPreviousData })
  return (
    <Stack component="section" gap="sm" aria-labelledby="history-title">
      <Title order={2} id="history-title">
        {t('history')}
      </Title>
      <Filters />
      <QueryView query={history}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.viewer.creditHistory.nodes)
          if (entries.length === 0) {
            return (
              <Paper>
                {isFiltered(search) ? (
                  <EmptyState
                    title={t('noMatch')}
                    action={
                      <Button
                        variant="default"
                        onClick={() => void navigate({ search: ({ view }) => ({ view }), resetScroll: false })}
                      >
                        {t('clearFilters')}
                      </Button>
                    }
                  />
                ) : (
                  <EmptyState title={t('empty')} text={t('emptyText')} />
                )}
              </Paper>
            )
          }
          return (
            <>
              {/* A download ends when the filter changes. */}
              <CsvDownload key={JSON.stringify(filter)} filter={filter} />
              <ShowMore query={history}>
                <HistoryTable entries={entries} />
              </ShowMore>
            </>
          )
        }}
      </QueryView>
    </Stack>
  )
}
