import { Alert, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { OperatorText, useServiceInfo, useViewer } from '@/features/auth'
import { formatNumber } from '@/shared/format'

/** Whether the available credits do not cover this price. False while either is unknown. */
export function useShortOf(price: number | undefined): boolean {
  const { data } = useViewer()
  return data !== undefined && price !== undefined && data.viewer.creditsAvailable < price
}

/** Says that credits are insufficient, with the operator's help text. */
export function CreditNotice({ price, text }: { price: number | undefined; text: 'noCreditsText' | 'noCreditsBoth' }) {
  const { t } = useTranslation('playground')
  const { data } = useViewer()
  const short = useShortOf(price)
  if (!short || !data || price === undefined) return null
  const { creditsAvailable, creditsHeld } = data.viewer
  return (
    <Alert color="yellow" role="status" title={t('noCredits')}>
      <Text size="sm">
        {t(text, {
          count: price,
          price: formatNumber(price),
          available: formatNumber(creditsAvailable),
        })}
        {creditsHeld > 0 && ` ${t('noCreditsHeld', { held: formatNumber(creditsHeld) })}`}
      </Text>
      <CreditsHelp />
    </Alert>
  )
}

/** The operator's text on how to get credits. May be empty. */
export function CreditsHelp() {
  const { data } = useServiceInfo()
  if (!data?.creditsHelp) return null
  return (
    <Text size="sm" mt={4}>
      <OperatorText text={data.creditsHelp} />
    </Text>
  )
}
