import { Box, Paper } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Download } from '@/shared/download'
import { useNow } from '@/shared/time'
import { ButtonLink, ChartShape, EmptyState, NoMatch, QueryView, TableShape } from '@/shared/ui'
import { Chart } from './chart/Chart'
import { sorted } from './chart/series'
import { Place } from './Place'
import { type UsageData, usagePageQuery } from './queries'
import { chosen, timesOf } from './range'
import { usageCsv } from './table/download'
import { UsageTable } from './table/UsageTable'
import { UsageFilters } from './UsageFilters'
import { spanText, useNames } from './useNames'
import { useUsageSearch } from './useUsageSearch'

/** What is used, by whom, at what price and how fast. */
export function UsagePage() {
  const { search, split } = useUsageSearch()
  const now = useNow()
  const times = timesOf(search, now)
  const usage = useQuery({
    ...usagePageQuery(search, split, times ?? nothing),
    enabled: times !== undefined,
  })
  return (
    <Place tab="usage" actions={usage.data && <SaveUsage data={usage.data} />} period={times && spanText(times, now)}>
      <UsageFilters />
      {times && (
        <QueryView
          query={usage}
          loading={
            <>
              <Paper>
                <ChartShape height={320} />
              </Paper>
              <TableShape columns={5} />
            </>
          }
        >
          {(data) => (
            <Box aria-busy={usage.isPlaceholderData} opacity={usage.isPlaceholderData ? 0.6 : undefined}>
              <Content data={data} />
            </Box>
          )}
        </QueryView>
      )}
    </Place>
  )
}

const nothing = { from: '', to: '', before: { from: '', to: '' }, interval: 'DAY' } as const

/** Downloads the rows of the page. */
function SaveUsage({ data }: { data: UsageData }) {
  const names = useNames(data.split)
  return <Download name="usage" formats={[{ ending: 'csv', read: async () => usageCsv(data, names) }]} />
}

function Content({ data }: { data: UsageData }) {
  const { show } = useUsageSearch()
  const rows = useMemo(() => sorted(data.split, show, data.rows), [data, show])
  const [total] = data.total
  if (!total || total.messages + total.failed + total.refused === 0) return <Nothing />
  return (
    <>
      <Chart data={data} rows={rows} total={total} />
      <UsageTable data={data} rows={rows} />
    </>
  )
}

function Nothing() {
  const { t } = useTranslation('usage')
  const { search, filtered } = useUsageSearch()
  if (filtered > 0) return <NoMatch title={t('empty')} />
  return (
    <Paper>
      <EmptyState
        icon={<IconChartBar size={32} stroke={1.4} aria-hidden />}
        title={t('empty')}
        text={t('emptyText')}
        action={
          chosen(search) === 'month' && (
            <ButtonLink to="/usage" search={{ ...search, range: 'last' }} variant="default">
              {t('showLast')}
            </ButtonLink>
          )
        }
      />
    </Paper>
  )
}
