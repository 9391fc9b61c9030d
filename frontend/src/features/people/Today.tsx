import { Progress, Text } from '@mantine/core'
import { IconBan, IconHandStop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatNumber, isNearly } from '@/shared/format'
import classes from './People.module.css'
import { type Row, todayOf } from './queries'

type TodayProps = { used: number; limit: number }

/** The messages of today against the limit. */
export function Today({ used, limit }: TodayProps) {
  const { t } = useTranslation('people')
  const near = isNearly(used, limit)
  const colour = used >= limit ? 'var(--bad)' : near ? 'var(--warn)' : undefined
  return (
    <div className="panel-numbers">
      <Text size="sm" c={colour}>
        {t('usedOf', { used: formatNumber(used), limit: formatNumber(limit) })}
      </Text>
      <Progress
        value={Math.min((used / limit) * 100, 100)}
        color={used >= limit ? 'red' : near ? 'yellow' : undefined}
        size={4}
        aria-hidden
      />
    </div>
  )
}

type StateProps = { row: Pick<Row, 'blocked' | 'dailyMessageLimit' | 'messagesToday' | 'nearestExportLimit'> }

/** Whether a person's messages are refused, and why; nothing for everybody else. */
export function State({ row }: StateProps) {
  const { t } = useTranslation('people')
  const { used, limit } = todayOf(row)
  if (row.blocked) {
    return (
      <span className={`${classes.state} ${classes.blocked}`}>
        <IconBan size={14} aria-hidden /> {t('blocked')}
      </span>
    )
  }
  if (limit === undefined || used < limit) return null
  return (
    <span className={`${classes.state} ${classes.atLimit}`}>
      <IconHandStop size={14} aria-hidden /> {t('atLimit')}
    </span>
  )
}
