import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { Paper, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { formatDate } from '@/shared/time'

export type UsageBar = { day: string; start: string; credits: number; messages: number }

const height = 220

/** One bar per day; a day without use is a gap with its label. In its own chunk. */
export default function UsageChart({ bars, label, summary }: { bars: UsageBar[]; label: string; summary: string }) {
  return (
    <div role="img" aria-label={summary}>
      <BarChart
        h={height}
        data={bars}
        dataKey="day"
        series={[{ name: 'credits', label, color: 'var(--data-1)' }]}
        valueFormatter={formatNumber}
        yAxisProps={{ allowDecimals: false, width: 56 }}
        // As many labels as there is room for, at equal distances.
        xAxisProps={{ minTickGap: 8, interval: 'equidistantPreserveStart' }}
        gridColor="var(--data-grid)"
        strokeDasharray="0"
        tickLine="none"
        maxBarWidth={32}
        barProps={{ isAnimationActive: false }}
        barChartProps={{ accessibilityLayer: false }}
        tooltipProps={{ content: ({ payload }) => <Tip bar={payload?.[0]?.payload} /> }}
        tooltipAnimationDuration={0}
      />
    </div>
  )
}

/** What the bar under the pointer stands for. */
export function Tip({ bar }: { bar: UsageBar | undefined }) {
  const { t } = useTranslation('credits')
  if (!bar) return null
  return (
    <Paper px="sm" py="xs" className="panel-float panel-numbers">
      <Text size="sm" fw={600}>
        {formatDate(bar.start)}
      </Text>
      <Text size="sm">
        {t('usageSum', {
          count: bar.messages,
          credits: t('credits', { ns: 'common', count: bar.credits, amount: formatNumber(bar.credits) }),
          messages: formatNumber(bar.messages),
        })}
      </Text>
    </Paper>
  )
}
