import '@mantine/charts/styles.css'
import { BarChart, LineChart } from '@mantine/charts'
import { Group, Paper, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatNumber } from '@/shared/format'
import type { UsageTime } from './queries'
import { Swatch } from './Swatch'
import type { Bar } from './series'

const height = 220
const common = {
  h: height,
  gridColor: 'var(--data-grid)',
  strokeDasharray: '0',
  tickLine: 'none',
  tooltipAnimationDuration: 0,
  // As many labels as there is room for, at equal distances.
  xAxisProps: { minTickGap: 16, interval: 'equidistantPreserveStart' },
} as const

export type Series = { key: string; name: string; colour: string }

type BarsProps = {
  bars: Bar[]
  series: Series[]
  label: (start: string, full?: boolean) => string
  summary: string
}

/** The bars, the series with the most at the bottom. An interval without use is a gap with its label. In its own chunk. */
export function Bars({ bars, series, label, summary }: BarsProps) {
  return (
    <div role="img" aria-label={summary}>
      <svg width="0" height="0" aria-hidden style={{ position: 'absolute' }}>
        <title>{summary}</title>
        <pattern id="usage-other" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="3" height="6" fill="var(--data-other)" />
        </pattern>
      </svg>
      <BarChart
        {...common}
        type="stacked"
        data={bars.map((bar) => ({ ...bar, label: label(bar.start) }))}
        dataKey="label"
        series={series.map(({ key, name, colour }) => ({ name: key, label: name, color: colour }))}
        valueFormatter={formatNumber}
        yAxisProps={{ allowDecimals: false, width: 56 }}
        maxBarWidth={32}
        barProps={{ isAnimationActive: false, stroke: 'var(--surface-1)', strokeWidth: 1 }}
        barChartProps={{ accessibilityLayer: false }}
        tooltipProps={{ content: ({ payload }) => <Tip bar={payload?.[0]?.payload} series={series} label={label} /> }}
      />
    </div>
  )
}

type TipProps = Pick<BarsProps, 'series' | 'label'> & { bar: Bar | undefined }

/** What an interval holds, in the order of the stack. */
function Tip({ bar, series, label }: TipProps) {
  const { t } = useTranslation('usage')
  if (!bar) return null
  const shown = series.filter(({ key }) => bar[key])
  const sum = shown.reduce((all, { key }) => all + Number(bar[key]), 0)
  return (
    <Paper px="sm" py="xs" className="panel-float panel-numbers">
      <Text size="sm" fw={600}>
        {label(bar.start, true)}
      </Text>
      {shown.toReversed().map(({ key, name, colour }) => (
        <Group key={key} gap="xs" justify="space-between" wrap="nowrap">
          <Text size="sm" className="panel-user-text" lineClamp={1} maw={220}>
            <Swatch colour={colour} /> {name}
          </Text>
          <Text size="sm">{formatNumber(Number(bar[key]))}</Text>
        </Group>
      ))}
      <Text size="sm" c="dimmed">
        {t('tipSum', { sum: formatNumber(sum), count: bar.messages, messages: formatNumber(bar.messages) })}
      </Text>
    </Paper>
  )
}

type LinesProps = { times: readonly UsageTime[]; label: (start: string) => string; summary: string }

/** The median and the 95th percentile of the time to reply. Where nothing was answered, the lines have a gap. */
export function Lines({ times, label, summary }: LinesProps) {
  const { t } = useTranslation('usage')
  return (
    <div role="img" aria-label={summary}>
      <LineChart
        {...common}
        data={times.map(({ start, durationP50Ms, durationP95Ms }) => ({
          label: label(start ?? ''),
          median: durationP50Ms,
          p95: durationP95Ms,
        }))}
        dataKey="label"
        series={[
          { name: 'median', label: t('median'), color: 'var(--data-1)' },
          { name: 'p95', label: t('p95'), color: 'var(--data-2)', strokeDasharray: '5 4' },
        ]}
        valueFormatter={formatDuration}
        yAxisProps={{ width: 64 }}
        connectNulls={false}
        curveType="linear"
        dotProps={{ r: 2 }}
        lineChartProps={{ accessibilityLayer: false }}
        lineProps={{ isAnimationActive: false }}
      />
    </div>
  )
}
