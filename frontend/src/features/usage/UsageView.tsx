import { Box, Button, Group, Paper, Skeleton, Text, Title } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Download } from '@/shared/download'
import { formatDuration, formatNumber } from '@/shared/format'
import { useNow } from '@/shared/time'
import { ButtonLink, EmptyState, LoadingState, QueryView } from '@/shared/ui'
import { usageCsv } from './download'
import { type UsageData, usagePageQuery } from './queries'
import { timesOf } from './range'
import { barsOf, countOf, mostSeries, sorted } from './series'
import classes from './Usage.module.css'
import { UsageFilters } from './UsageFilters'
import { UsageTable } from './UsageTable'
import { intervalText, useNames } from './useNames'
import { noFilters, useUsageSearch } from './useUsageSearch'

const Bars = lazy(async () => ({ default: (await import('./UsageCharts')).Bars }))
const Lines = lazy(async () => ({ default: (await import('./UsageCharts')).Lines }))

function useUsage() {
  const { search } = useUsageSearch()
  const times = timesOf(search, useNow())
  const usage = useQuery({
    ...usagePageQuery(search, times ?? { from: '', to: '', before: '', interval: 'DAY' }),
    enabled: times !== undefined,
  })
  return { times, usage }
}

/** Downloads the rows of the page. */
export function SaveUsage() {
  const { usage } = useUsage()
  const names = useNames(usage.data?.split ?? 'agent')
  if (!usage.data) return null
  const { data } = usage
  return <Download name="usage" formats={[{ ending: 'csv', read: async () => usageCsv(data, names) }]} />
}

/** The filters, and what is used within them. */
export function UsageView() {
  const { times, usage } = useUsage()
  return (
    <>
      <UsageFilters />
      {times && (
        <QueryView query={usage} loading={<LoadingState rows={2} height={220} />}>
          {(data) => (
            <Box aria-busy={usage.isPlaceholderData} opacity={usage.isPlaceholderData ? 0.6 : undefined}>
              <Content data={data} />
            </Box>
          )}
        </QueryView>
      )}
    </>
  )
}

function Content({ data }: { data: UsageData }) {
  const { t } = useTranslation('usage')
  const names = useNames(data.split)
  const rows = useMemo(() => sorted(data), [data])
  const bars = useMemo(() => barsOf(data, rows), [data, rows])
  const [total] = data.total
  if (!total || total.messages + total.failed + total.refused === 0) return <Nothing />
  const series = rows
    .slice(0, mostSeries)
    .map((row, at) => ({ key: String(at), name: names(row), colour: colourOf(at) }))
  if (rows.length > mostSeries) series.push({ key: 'other', name: t('others'), colour: colourOf(mostSeries) })
  const label = (start: string, full?: boolean) => intervalText(data.interval, start, full)
  const sum = rows.reduce((all, row) => all + countOf(data.split, row), 0)
  const median = total.durationP50Ms == null ? undefined : formatDuration(total.durationP50Ms)
  const p95 = total.durationP95Ms == null ? undefined : formatDuration(total.durationP95Ms)
  return (
    <>
      <div className={classes.charts}>
        <Paper component="section" p="md" aria-labelledby="usage-sum">
          <Group gap="xs" align="baseline" mb="sm">
            <Title order={2} id="usage-sum" fz={26} lh="32px" className="panel-figure panel-numbers">
              {formatNumber(sum)}
            </Title>
            <Text c="dimmed" className="panel-numbers">
              {data.split === 'status'
                ? t('requestsUnit', { count: sum })
                : t('creditsUnit', { count: sum, messages: formatNumber(total.messages) })}
            </Text>
            <Before data={data} />
          </Group>
          <Suspense fallback={<Skeleton height={220} className="panel-late" />}>
            <Bars
              bars={bars}
              series={series}
              label={label}
              summary={t('barsSummary', { count: bars.length, sum: formatNumber(sum) })}
            />
          </Suspense>
        </Paper>
        <Paper component="section" p="md" aria-labelledby="usage-time">
          <Group gap="xs" justify="space-between" align="baseline" mb="sm" mih={32}>
            <Title order={2} id="usage-time">
              {t('time')}
            </Title>
            <Text size="sm" c="dimmed" className="panel-numbers">
              {median ? t('timeSum', { median, p95 }) : t('noTime')}
            </Text>
          </Group>
          <Suspense fallback={<Skeleton height={220} className="panel-late" />}>
            <Lines times={data.times} label={label} summary={median ? t('timeSum', { median, p95 }) : t('noTime')} />
          </Suspense>
        </Paper>
      </div>
      <UsageTable data={data} rows={rows} colourOf={colourOf} sum={sum} />
    </>
  )
}

const colourOf = (at: number) => (at < mostSeries ? `var(--data-${at + 1})` : 'url(#usage-other)')

/** The change against the range before. */
function Before({ data }: { data: UsageData }) {
  const { t } = useTranslation('usage')
  const before = data.before[0]?.credits ?? 0
  const now = data.total[0]?.credits ?? 0
  if (data.split === 'status' || before === 0) return null
  const by = Math.round((1000 * (now - before)) / before) / 10
  return (
    <Text size="sm" c="dimmed" ml="auto" className="panel-numbers">
      {by === 0 ? t('same') : t(by > 0 ? 'up' : 'down', { by: formatNumber(Math.abs(by)) })}
    </Text>
  )
}

function Nothing() {
  const { t } = useTranslation('usage')
  const { search, change, ofAgent } = useUsageSearch()
  const { range, agent, export: exported, source } = search
  const filtered = Boolean((agent && !ofAgent) || exported || source)
  return (
    <Paper>
      <EmptyState
        icon={<IconChartBar size={32} stroke={1.4} aria-hidden />}
        title={t('empty')}
        text={t(filtered ? 'emptyFiltered' : 'emptyText')}
        action={
          filtered || range === '90d' ? (
            <Button variant="default" onClick={() => change(noFilters)}>
              {t('clearFilters')}
            </Button>
          ) : (
            <ButtonLink to="." search={{ range: '90d' as const }} variant="default">
              {t('wider')}
            </ButtonLink>
          )
        }
      />
    </Paper>
  )
}
