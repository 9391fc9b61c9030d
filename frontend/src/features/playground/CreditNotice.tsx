import { Alert, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Agent } from '@/features/agents'
import { OperatorText, useServiceInfo, useViewer } from '@/features/auth'
import { formatNumber } from '@/shared/format'

/** Whether what can be spent does not cover one message; not when either is unknown. */
export function useShortOfCredits(agent: Agent): boolean {
  const { data } = useViewer()
  return data !== undefined && agent.model != null && data.viewer.creditsAvailable < agent.model.creditsPerMessage
}

/** Why no message can be sent for want of credits, and the operator's word on what to do. */
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

/** The operator's word on how to get credits; nothing when there is none. */
export function CreditsHelp() {
  const { data } = useServiceInfo()
  if (!data?.creditsHelp) return null
  return (
    <Text size="sm" mt={4}>
      <OperatorText text={data.creditsHelp} />
    </Text>
  )
}
