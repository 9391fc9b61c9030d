import { Box, Group, Progress, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type CreditUse, formatNumber, isNearly, nearestLimit } from '@/shared/format'

/** The credit limit of which an export has used most, or its users' daily limit. */
export function NearestLimit({ row }: { row: CreditUse & { userDailyMessageLimit?: number | null } }) {
  const { t } = useTranslation('exports')
  const nearest = nearestLimit(row)
  const perUser = row.userDailyMessageLimit
  if (!nearest) {
    return (
      <Text inherit c="dimmed">
        {perUser == null ? <NoLimit /> : t('perUserShort', { amount: formatNumber(perUser) })}
      </Text>
    )
  }
  const { used, limit, period } = nearest
  const near = isNearly(used, limit)
  return (
    <>
      <Group gap={4} justify="space-between" wrap="nowrap" fz="xs" lh="xs" className="panel-numbers">
        <Text inherit c={near ? 'var(--warn)' : undefined}>
          {t('limitUse', { used: formatNumber(used), limit: formatNumber(limit) })}
        </Text>
        <Text inherit c="dimmed">
          {t(`limitOf.${period}`)}
        </Text>
      </Group>
      <Progress
        value={Math.min((used / limit) * 100, 100)}
        color={used >= limit ? 'red' : near ? 'yellow' : 'gray'}
        size={4}
        mt={4}
        aria-hidden
      />
    </>
  )
}

/** A dash below the column's head; words on a phone, which has no heads. */
function NoLimit() {
  const { t } = useTranslation('exports')
  return (
    <>
      <span className="panel-phone">{t('noLimit')}</span>
      <Box component="span" visibleFrom="sm">
        {t('none')}
      </Box>
    </>
  )
}
