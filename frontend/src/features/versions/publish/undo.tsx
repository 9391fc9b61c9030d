import type { QueryClient } from '@tanstack/react-query'
import { gql } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { confirm, notifyDone, notifyError } from '@/shared/ui'
import { DraftChanges } from '../diff/DraftChanges'
import { PublishAgentDocument, RestoreAgentVersionDocument, refreshVersions, reviewQuery } from '../queries'
import { replacingDraft } from '../replacingDraft'

type Undo = {
  agentId: string
  /** The version that was just published, and the one that callers got before. */
  number: number
  before: number
  /** Saves what was typed since, which is then part of what is asked about. */
  saveDraft: () => Promise<unknown>
}

/**
 * Gives callers the version before again, after a question: it is published once more, and what was published becomes the draft, as it
 * was before. Every version stays.
 */
export async function undoPublishing(queryClient: QueryClient, { agentId, number, before, saveDraft }: Undo) {
  const t = i18n.getFixedT(null, 'versions')
  try {
    await saveDraft()
    const { agent } = await queryClient.fetchQuery({ ...reviewQuery(agentId), staleTime: 0 })
    const live = agent.publishedVersion?.number
    if (live !== number || agent.state !== 'LIVE') return await notifyDone(t('undoLate', { number }))
    const changed = agent.hasUnpublishedChanges
    await confirm({
      title: t('undoTitle', { number }),
      body: changed ? (
        <DraftChanges agentId={agentId} text={t('undoLoses', { number, before, next: number + 1 })} />
      ) : (
        t('undoText', { before, next: number + 1 })
      ),
      confirmLabel: t('undo'),
      danger: changed,
      wide: changed,
      onConfirm: replacingDraft(queryClient, agentId, async (removeKnowledge) => {
        const restore = (version: number) =>
          gql(RestoreAgentVersionDocument, { input: { id: agentId, number: version, removeKnowledge } })
        try {
          const { updatedAt } = (await restore(before)).restoreAgentVersion.agent
          const input = { id: agentId, note: t('undoNote', { number }), expectedUpdatedAt: updatedAt }
          await gql(PublishAgentDocument, { input }).finally(() => restore(number))
        } finally {
          await refreshVersions(queryClient)
        }
        void notifyDone(t('undoneDone', { before, next: number + 1 }))
      }),
    })
  } catch (error) {
    void notifyError(error)
  }
}
