import { Button } from '@mantine/core'
import { IconRocket } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Agent } from './queries'

const PublishDialog = lazy(async () => ({ default: (await import('@/features/versions')).PublishDialog }))

/** Publish, while there is something to publish. It stays disabled while the draft lacks something. */
export function PublishButton({ agent, standingId }: { agent: Agent; standingId: string }) {
  const { t } = useTranslation('agents')
  const [asking, setAsking] = useState(false)
  const changed = agent.hasUnpublishedChanges
  const lacking = agent.missing.length > 0
  return (
    <>
      {(changed || agent.state === 'DRAFT') && (
        <Button
          leftSection={<IconRocket size={16} aria-hidden />}
          onClick={() => setAsking(true)}
          disabled={lacking}
          aria-describedby={lacking ? standingId : undefined}
        >
          {t(changed ? 'publish' : 'putOnline')}
        </Button>
      )}
      {asking && (
        <Suspense fallback={null}>
          <PublishDialog
            agentId={agent.id}
            onClose={() => setAsking(false)}
            // The button has gone with what it was for.
            onPublished={() => {
              setAsking(false)
              document.getElementById(standingId)?.focus()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
