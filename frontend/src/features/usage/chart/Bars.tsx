import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import { Group, Paper, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { common } from './common'
import { Swatch } from './Swatch'
import type { Bar } from './series'

type Series = { key: string; name: string; colour: string }

type BarsProps = {
  bars: Bar[]
  series: Series[]
  label: (start: string, full?: boolean) => string
  summary: string
}

/** The bars, the series with the most at the bottom. An interval without use is a gap with its label. In its own chunk. */
export default function Bars({ bars, series, label, summary }: BarsProps) {
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
        yAxisProps={{ ...common.yAxisProps, allowDecimals: false, width: 56 }}
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
