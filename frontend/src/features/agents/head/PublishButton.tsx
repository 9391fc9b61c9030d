import { Button } from '@mantine/core'
import { IconRocket } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Agent } from '../queries'
import { standingId } from './usePublishing'

type Props = {
  agent: Agent
  saving: boolean
  onClick: () => void
}

/** Publish, while there is something to publish. It stays disabled while the draft lacks something. */
export function PublishButton({ agent, saving, onClick }: Props) {
  const { t } = useTranslation('agents')
  const { hasUnpublishedChanges: changed, missing, state } = agent
  const lacking = missing.length > 0
  if (!changed && state === 'LIVE') return null
  return (
    <Button
      leftSection={<IconRocket size={16} aria-hidden />}
      onClick={onClick}
      loading={saving}
      disabled={lacking}
      aria-describedby={lacking ? standingId : undefined}
    >
      {t(changed ? 'publish' : 'putOnline')}
    </Button>
  )
}
