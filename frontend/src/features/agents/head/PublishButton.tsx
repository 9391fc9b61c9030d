import { Button } from '@mantine/core'
import { IconRocket } from '@tabler/icons-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { part } from '@/shared/ui'
import type { Agent } from '../queries'
import { saveDraft } from '../saving/openForms'

const PublishDialog = part(async () => ({ default: (await import('@/features/versions')).PublishDialog }))

/** Publish, while there is something to publish. It stays disabled while the draft lacks something. */
export function PublishButton({ agent, standingId }: { agent: Agent; standingId: string }) {
  const { t } = useTranslation('agents')
  const [asking, setAsking] = useState(false)
  const [saving, setSaving] = useState(false)
  const published = useRef(false)
  // Publishing removes the button, which got the focus back from the dialog, so the status takes it.
  useEffect(() => {
    if (asking || !published.current) return
    published.current = false
    document.getElementById(standingId)?.focus()
  }, [asking, standingId])
  // What was typed is part of what is published. What cannot be saved is shown at its place instead.
  const ask = async () => {
    setSaving(true)
    setAsking(await saveDraft(agent.id))
    setSaving(false)
  }
  const changed = agent.hasUnpublishedChanges
  const lacking = agent.missing.length > 0
  return (
    <>
      {(changed || agent.state !== 'LIVE') && (
        <Button
          leftSection={<IconRocket size={16} aria-hidden />}
          onClick={() => void ask()}
          loading={saving}
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
            saveDraft={() => saveDraft(agent.id)}
            onClose={() => setAsking(false)}
            onPublished={() => {
              published.current = true
              setAsking(false)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
