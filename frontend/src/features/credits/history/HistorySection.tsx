import { Box, Group, Paper, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { timesOf } from '@/features/usage'
import { useNow } from '@/shared/time'
import { ChartShape, EmptyState, NoMatch, QueryView, TableShape } from '@/shared/ui'
import { CsvDownload } from './CsvDownload'
import { DailyBars } from './DailyBars'
import { Filters } from './Filters'
import { filterOf, filtersOf } from './filter'
import { HistoryTable } from './HistoryTable'
import { daysQuery } from './queries'
import { useCreditSearch } from './useCreditSearch'

/** What was charged, added and corrected in the period, by day. */
export function HistorySection() {
  const { t } = useTranslation('credits')
  const { search } = useCreditSearch()
  const times = timesOf(search, useNow())
  const range = times ?? { from: '', to: '', interval: 'DAY' as const }
  const filter = filterOf(search, range)
  const days = useQuery({ ...daysQuery(filter, range.interval, range), enabled: times !== undefined })
  return (
    <Stack component="section" gap="sm" aria-labelledby="history-title">
      <Group justify="space-between" gap="xs" align="flex-start" mih={32}>
        <Title order={2} id="history-title">
          {t('history')}
        </Title>
        {/* A download ends when the filter changes. */}
        {times && days.data && days.data.length > 0 && <CsvDownload key={JSON.stringify(filter)} filter={filter} />}
      </Group>
      <Filters />
      {times && (
        <QueryView
          query={days}
          loading={
            <Stack gap="sm">
              <Paper>
                <ChartShape height={200} />
              </Paper>
              <TableShape columns={5} />
            </Stack>
          }
        >
          {(rows) =>
            rows.length === 0 ? (
              <Nothing filtered={filtersOf(search) > 0} />
            ) : (
              <Box aria-busy={days.isPlaceholderData} opacity={days.isPlaceholderData ? 0.6 : undefined}>
                {!search.kind && !days.isPlaceholderData && <DailyBars days={rows} times={range} />}
                <HistoryTable days={rows} interval={range.interval} />
              </Box>
            )
          }
        </QueryView>
      )}
    </Stack>
  )
}

function Nothing({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('credits')
  if (filtered) return <NoMatch title={t('noMatch')} />
  return (
    <Paper>
      <EmptyState title={t('empty')} text={t('emptyText')} />
    </Paper>
  )
}
