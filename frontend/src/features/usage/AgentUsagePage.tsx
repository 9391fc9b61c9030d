import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentFrame } from '@/features/agents'
import { SaveUsage, UsageView } from './UsageView'

const route = getRouteApi('/_app/agents/$id/usage')

/** What one agent uses. */
export function AgentUsagePage() {
  const { t } = useTranslation('usage')
  const { id } = route.useParams()
  return (
    <AgentFrame id={id} tabTitle={(name) => t('titleOf', { name })} actions={<SaveUsage />}>
      <UsageView />
    </AgentFrame>
  )
}
