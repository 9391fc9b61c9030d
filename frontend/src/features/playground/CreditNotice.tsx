import { Alert, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { OperatorText, useServiceInfo, useViewer } from '@/features/auth'
import { formatNumber } from '@/shared/format'
import type { Answering } from './useAnswering'

/** Whether the available credits do not cover one message. False while either is unknown. */
export function useShortOfCredits({ model }: Pick<Answering, 'model'>): boolean {
  const { data } = useViewer()
  return data !== undefined && model != null && data.viewer.creditsAvailable < model.creditsPerMessage
}

/** Says that credits are insufficient, with the operator's help text. */
export function CreditNotice({ answering }: { answering: Answering }) {
  const { t } = useTranslation('playground')
  const { data } = useViewer()
  const short = useShortOfCredits(answering)
  if (!short || !data || !answering.model) return null
  const { creditsAvailable, creditsHeld } = data.viewer
  return (
    <Alert color="yellow" role="status" title={t('noCredits')}>
      <Text size="sm">
        {t('noCreditsText', {
          count: answering.model.creditsPerMessage,
          price: formatNumber(answering.model.creditsPerMessage),
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
