import { Paper, Title } from '@mantine/core'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { intervalText, type Times } from '@/features/usage'
import { formatNumber } from '@/shared/format'
import { dateOf, formatDate, startOfDay } from '@/shared/time'
import classes from './Credits.module.css'
import type { Day } from './days'

/** The credits used on each day of a period, or in each month of a long one. The table below says the same. */
export function DailyBars({ days, times }: { days: readonly Day[]; times: Pick<Times, 'from' | 'to' | 'interval'> }) {
  const { t } = useTranslation('credits')
  const isMonths = times.interval === 'MONTH'
  const used = new Map(days.map(({ start, credits }) => [dateOf(start), credits]))
  const bars = isMonths ? days.map(({ start }) => dateOf(start)).toReversed() : datesOf(times)
  const most = Math.max(...used.values())
  if (!(most > 0)) return null
  const name = (date: string) => (isMonths ? intervalText('MONTH', `${date}T00:00`) : formatDate(`${date}T00:00`))
  const [first = '', last = ''] = [bars[0], bars.at(-1)]
  return (
    <Paper p="md" mb="sm" component="section" aria-labelledby="credits-daily">
      <Title order={2} id="credits-daily" mb="xs">
        {t('daily')}
      </Title>
      <div className={classes.chart} style={{ '--bars': bars.length } as CSSProperties}>
        <div role="img" aria-label={t('daily')} className={classes.bars}>
          {bars.map((date) => {
            const credits = used.get(date) ?? 0
            const part = { '--part': credits / most } as CSSProperties
            return <span key={date} title={`${name(date)}: ${formatNumber(credits)}`} style={part} />
          })}
        </div>
        <div className={classes.ends}>
          <span>{name(first)}</span>
          {bars.length > 1 && <span>{name(last)}</span>}
        </div>
      </div>
    </Paper>
  )
}

function datesOf({ from, to }: Pick<Times, 'from' | 'to'>): string[] {
  const dates: string[] = []
  for (let day = from; Date.parse(day) < Date.parse(to); day = startOfDay(day, 1)) dates.push(dateOf(day))
  return dates
}
