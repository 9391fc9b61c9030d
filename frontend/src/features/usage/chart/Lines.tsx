import '@mantine/charts/styles.layer.css'
import { LineChart } from '@mantine/charts'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '@/shared/format'
import type { UsageTime } from '../queries'
import { common } from './common'
import { timeColours } from './series'

type LinesProps = { times: readonly UsageTime[]; label: (start: string) => string; summary: string }

/** The median and the 95th percentile of the time to reply. Where nothing was answered, the lines have a gap. */
export default function Lines({ times, label, summary }: LinesProps) {
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
          { name: 'median', label: t('median'), color: timeColours.median },
          { name: 'p95', label: t('p95'), color: timeColours.p95, strokeDasharray: '5 4' },
        ]}
        valueFormatter={formatDuration}
        yAxisProps={{ ...common.yAxisProps, width: 64 }}
        connectNulls={false}
        curveType="linear"
        dotProps={{ r: 2 }}
        lineChartProps={{ accessibilityLayer: false }}
        lineProps={{ isAnimationActive: false }}
      />
    </div>
  )
}
