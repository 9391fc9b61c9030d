import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Agent } from '@/features/agents'
import { AppLink } from '@/shared/ui'

/** Says that the agent has no model, or that its model is unavailable, and leads to choosing one. */
export function ModelNotice({ agent }: { agent: Agent }) {
  const { t } = useTranslation('playground')
  if (agent.model?.available) return null
  return (
    <Alert
      color="yellow"
      role="status"
      title={agent.model ? t('modelAway', { model: agent.model.label }) : t('noModel')}
    >
      {agent.model ? t('modelAwayText') : t('noModelText')}{' '}
      <AppLink to="/agents/$id" params={{ id: agent.id }} search={{ node: 'model' }} inherit underline="always">
        {t('chooseModel')}
      </AppLink>
    </Alert>
  )
}
