import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { formatNumber } from '@/shared/format'

export type UsageBar = { day: string; credits: number }

const height = 220

/** One bar per day. A day without use has a line of one pixel, so that it is visible. In its own chunk. */
export default function UsageChart({ bars, label, summary }: { bars: UsageBar[]; label: string; summary: string }) {
  return (
    <div role="img" aria-label={summary}>
      <BarChart
        h={height}
        data={bars}
        dataKey="day"
        series={[{ name: 'credits', label, color: 'var(--data-1)' }]}
        valueFormatter={formatNumber}
        yAxisProps={{ allowDecimals: false, width: 64 }}
        xAxisProps={{ minTickGap: 16 }}
        tickLine="none"
        maxBarWidth={32}
        barProps={{ isAnimationActive: false, minPointSize: 1 }}
        barChartProps={{ accessibilityLayer: false }}
        tooltipAnimationDuration={0}
      />
    </div>
  )
}
