import { Text } from '@mantine/core'
import { IconAlertTriangle, IconCoins } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useOutlook } from '@/features/credits'
import { formatNumber } from '@/shared/format'
import { ButtonLink } from '@/shared/ui'

/** Below this many days the chip warns. */
const fewDays = 3
/** A longer time is not worth a figure. */
const longestDays = 365

/** The available credits and for how many days they last, in the header. Links to the credits page. */
export function CreditChip() {
  const { t } = useTranslation('shell')
  const outlook = useOutlook()
  const amount = outlook && formatNumber(outlook.available)
  const none = outlook?.state === 'none'
  const days = none || outlook?.days === undefined ? undefined : Math.floor(outlook.days)
  const few = days !== undefined && days < fewDays
  const state = none ? 'none' : few ? 'low' : undefined
  const label = [
    amount === undefined ? '' : t('creditsAvailable', { amount }),
    days === undefined ? '' : t('creditsLast', { count: days }),
    t('openCredits'),
  ]
  return (
    <ButtonLink
      to="/usage/credits"
      size="xs"
      variant="default"
      leftSection={state ? <IconAlertTriangle size={16} aria-hidden /> : <IconCoins size={16} aria-hidden />}
      aria-label={label.filter(Boolean).join(' ')}
      data-state={state}
      className="panel-credit-chip panel-numbers"
    >
      <span data-testid="credit-chip">{amount ?? '…'}</span>
      {days !== undefined && days <= longestDays && (
        <Text span inherit fw={400} ml={8} className="panel-unit" visibleFrom="sm">
          {t('days', { count: days })}
        </Text>
      )}
    </ButtonLink>
  )
}
