import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type CreditUse, formatNumber, isNearly } from '@/shared/format'

/** The credits used today, and those of the month near their limit. */
export function CreditUsage({ use }: { use: CreditUse }) {
  const { creditsUsedThisMonth, monthlyCreditLimit } = use
  const ofMonth = isNearly(creditsUsedThisMonth, monthlyCreditLimit)
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
