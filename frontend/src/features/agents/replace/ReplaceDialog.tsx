import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PublishDialog, refreshVersions } from '@/features/versions'
import { Dialog } from '@/shared/ui'
import { type Outcome, Outcomes } from './Outcomes'
import { ReplaceForm } from './ReplaceForm'

/** Replaces a text in the instructions of many drafts, and then publishes them one by one. */
export default function ReplaceDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('agents')
  const queryClient = useQueryClient()
  const [outcome, setOutcome] = useState<Outcome>()
  /** The agents that can be published, the next one first. */
  const [waiting, setWaiting] = useState<string[]>([])
  const [publishing, setPublishing] = useState(false)
  const [next, ...later] = waiting
  if (publishing && next !== undefined) {
    return (
      <PublishDialog
        key={next}
        agentId={next}
        saveDraft={async () => true}
        onClose={() => {
          setPublishing(false)
          setWaiting([...later, next])
        }}
        onPublished={() => setWaiting(later)}
      />
    )
  }
  return (
    <Dialog onClose={onClose} size={1000} title={t('replace.title')}>
      {outcome ? (
        <Outcomes outcome={outcome} waiting={waiting.length} publish={() => setPublishing(true)} onClose={onClose} />
      ) : (
        <ReplaceForm
          onClose={onClose}
          onReplaced={(ended) => {
            setOutcome(ended)
            // Publishing one that is not live would put it online.
            setWaiting(
              ended.changed.flatMap(({ id, state, missing }) => (state === 'LIVE' && !missing.length ? id : [])),
            )
            void refreshVersions(queryClient)
          }}
        />
      )}
    </Dialog>
  )
}
