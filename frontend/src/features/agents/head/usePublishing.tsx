import { Suspense, useEffect, useRef, useState } from 'react'
import { part } from '@/shared/ui'
import { saveDraft } from '../saving/openForms'

const PublishDialog = part(async () => ({ default: (await import('@/features/versions')).PublishDialog }))

/** The ID of the element with an agent's state and what it lacks. */
export const standingId = 'agent-standing'

/** Opens the dialog that publishes an agent. Publishing removes what opened it, so the agent's state gets the focus. */
export function usePublishing(agentId: string) {
  const [asking, setAsking] = useState(false)
  const [saving, setSaving] = useState(false)
  const published = useRef(false)
  useEffect(() => {
    if (asking || !published.current) return
    published.current = false
    document.getElementById(standingId)?.focus()
  }, [asking])
  // What was typed is part of what is published. What cannot be saved is shown at its place instead.
  const ask = async () => {
    setSaving(true)
    setAsking(await saveDraft(agentId))
    setSaving(false)
  }
  const dialog = asking && (
    <Suspense fallback={null}>
      <PublishDialog
        agentId={agentId}
        saveDraft={() => saveDraft(agentId)}
        onClose={() => setAsking(false)}
        onPublished={() => {
          published.current = true
          setAsking(false)
        }}
      />
    </Suspense>
  )
  return { ask: () => void ask(), saving, dialog }
}
