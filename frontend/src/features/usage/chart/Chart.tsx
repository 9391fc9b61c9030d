import { Paper } from '@mantine/core'
import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatNumber } from '@/shared/format'
import { ChartShape, LoadingState, part } from '@/shared/ui'
import type { Counts, UsageData, UsageRow } from '../queries'
import classes from '../Usage.module.css'
import { intervalText, useNames } from '../useNames'
import { useUsageSearch } from '../useUsageSearch'
import { Figures } from './Figures'
import { Swatch } from './Swatch'
import { barsOf, coloursOf, countOf, keyOf, mostSeries, otherColour, timeColours } from './series'

const Bars = part(() => import('./Bars'))
const Lines = part(() => import('./Lines'))

type Props = { data: UsageData; rows: UsageRow[]; total: Counts & UsageData['total'][number] }

/** The figures of the period, and how they came about: bars of what was used, or the lines of the times to reply. */
export function Chart({ data, rows, total }: Props) {
  const { show } = useUsageSearch()
  return (
    <Paper component="section" p="md" aria-labelledby="usage-sum">
      <div className={classes.head}>
        <Figures data={data} total={total} />
        {show === 'time' ? <TimeLegend /> : <UseLegend data={data} rows={rows} />}
      </div>
      <Suspense
        fallback={
          <LoadingState>
            <ChartShape />
          </LoadingState>
        }
      >
        {show === 'time' ? <TimeLines data={data} total={total} /> : <UseBars data={data} rows={rows} total={total} />}
      </Suspense>
    </Paper>
  )
}

const labels = (data: UsageData) => (start: string, full?: boolean) => intervalText(data.asked.interval, start, full)

function TimeLines({ data, total: { durationP50Ms, durationP95Ms } }: Omit<Props, 'rows'>) {
  const { t } = useTranslation('usage')
  const summary =
    durationP50Ms == null || durationP95Ms == null
      ? t('noTime')
      : t('timeSum', { median: formatDuration(durationP50Ms), p95: formatDuration(durationP95Ms) })
  return <Lines times={data.times} label={labels(data)} summary={summary} />
}

function UseBars({ data, rows, total }: Props) {
  const { t } = useTranslation('usage')
  const { show } = useUsageSearch()
  const bars = useMemo(() => barsOf(data, show, rows), [data, show, rows])
  const sum = formatNumber(countOf(data.split, show, total))
  return (
    <Bars
      bars={bars}
      series={useSeries(data, rows)}
      label={labels(data)}
      summary={t('barsSummary', { count: bars.length, sum })}
    />
  )
}

/** The rows with a colour of their own, and the others as one. */
function useSeries({ split }: UsageData, rows: readonly UsageRow[]) {
  const { t } = useTranslation('usage')
  const names = useNames(split)
  const colours = coloursOf(split, rows)
  const series = rows
    .slice(0, mostSeries)
    .map((row, at) => ({ key: String(at), name: names(row), colour: colours.get(keyOf(split, row)) ?? otherColour }))
  const others = rows.length - mostSeries
  if (others > 0) {
    series.push({ key: 'other', name: t('othersCount', { count: others }), colour: otherColour })
  }
  return series
}

function UseLegend({ data, rows }: Pick<Props, 'data' | 'rows'>) {
  return <Legend series={useSeries(data, rows)} />
}

function TimeLegend() {
  const { t } = useTranslation('usage')
  const lines = ['median', 'p95'] as const
  return <Legend series={lines.map((key) => ({ key, name: t(key), colour: timeColours[key] }))} />
}

function Legend({ series }: { series: { key: string; name: string; colour: string }[] }) {
  return (
    <ul className={classes.legend}>
      {series.map(({ key, name, colour }) => (
        <li key={key} className="panel-user-text">
          <Swatch colour={colour} /> {name}
        </li>
      ))}
    </ul>
  )
}
