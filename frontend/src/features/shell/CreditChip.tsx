import { IconCoins } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useViewer } from '@/features/auth'
import { formatNumber } from '@/shared/format'
import { ButtonLink } from '@/shared/ui'

/** The available credits, in the header. Links to the credits page. */
export function CreditChip() {
  const { t } = useTranslation('shell')
  const { data } = useViewer()
  const amount = data && formatNumber(data.viewer.creditsAvailable)
  return (
    <ButtonLink
      to="/credits"
      size="xs"
      variant="default"
      radius="xl"
      leftSection={<IconCoins size={16} aria-hidden />}
      aria-label={amount === undefined ? t('creditsUnknown') : t('creditsAvailable', { amount })}
      data-testid="credit-chip"
      className="panel-numbers"
    >
      {amount ?? '…'}
    </ButtonLink>
  )
}
