import { Alert, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Agent } from '@/features/agents'
import { OperatorText, useServiceInfo, useViewer } from '@/features/auth'
import { formatNumber } from '@/shared/format'

/** Whether the available credits do not cover one message. False while either is unknown. */
export function useShortOfCredits(agent: Agent): boolean {
  const { data } = useViewer()
  return data !== undefined && agent.model != null && data.viewer.creditsAvailable < agent.model.creditsPerMessage
}

/** Says that credits are insufficient, with the operator's help text. */
export function CreditNotice({ agent }: { agent: Agent }) {
  const { t } = useTranslation('playground')
  const { data } = useViewer()
  const short = useShortOfCredits(agent)
  if (!short || !data || !agent.model) return null
  const { creditsAvailable, creditsHeld } = data.viewer
  return (
    <Alert color="yellow" role="status" title={t('noCredits')}>
      <Text size="sm">
        {t('noCreditsText', {
          count: agent.model.creditsPerMessage,
          price: formatNumber(agent.model.creditsPerMessage),
          available: formatNumber(creditsAvailable),
        })}
        {creditsHeld > 0 && ` ${t('noCreditsHeld', { held: formatNumber(creditsHeld) })}`}
      </Text>
      <CreditsHelp />
    </Alert>
  )
}

/** The operator's text on how to get credits. Empty if there is none. */
export function CreditsHelp() {
  const { data } = useServiceInfo()
  if (!data?.creditsHelp) return null
  return (
    <Text size="sm" mt={4}>
      <OperatorText text={data.creditsHelp} />
    </Text>
  )
}
