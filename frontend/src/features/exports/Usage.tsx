import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { formatDateTime, RelativeTime, useNow } from '@/shared/time'
import { endOf, isNearly, reachedPeriod, type Use } from './periods'

/** The credits used today, and those of the month if they are limited: where it is `brief`, only near that limit. */
export function Usage({ use, brief = false }: { use: Use; brief?: boolean }) {
  const { creditsUsedThisMonth, monthlyCreditLimit } = use
  const ofMonth = brief ? isNearly(creditsUsedThisMonth, monthlyCreditLimit) : monthlyCreditLimit != null
  return (
    <>
      <Used period="day" used={use.creditsUsedToday} limit={use.dailyCreditLimit} />
      {ofMonth && <Used period="month" used={creditsUsedThisMonth} limit={monthlyCreditLimit} />}
    </>
  )
}

type UsedProps = { period: 'day' | 'month'; used: number; limit: number | null | undefined }

function Used({ period, used, limit }: UsedProps) {
  const { t } = useTranslation('exports')
  const words = { used: formatNumber(used), limit: formatNumber(limit ?? 0), count: limit ?? used }
  return (
    <Text inherit className="panel-numbers" c={isNearly(used, limit) ? 'var(--warn)' : undefined}>
      {t(limit == null ? `used.${period}` : `usedOf.${period}`, words)}
    </Text>
  )
}

/** That callers are refused, and until when. Empty while there is room for a message at this price. */
export function LimitReached({ use, price }: { use: Use; price: number }) {
  const { t } = useTranslation('exports')
  const now = useNow()
  const period = reachedPeriod(use, price)
  if (!period) return null
  const end = endOf(period, now)
  return (
    <div style={{ marginTop: 8 }}>
      <Text size="sm" c="var(--warn)">
        {t(`reached.${period}`)} (<RelativeTime time={new Date(end).toISOString()} mayLieAhead />)
      </Text>
      <Text size="xs" c="dimmed">
        {t('localTime', { time: formatDateTime(end) })}
      </Text>
    </div>
  )
}
