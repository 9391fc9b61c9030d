import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { confirm, notifyDone, notifyError } from '@/shared/ui'
import { DraftChanges } from '../diff/DraftChanges'
import { RestoreAgentVersionDocument, refreshVersions, reviewQuery } from '../queries'
import { replacingDraft } from '../replacingDraft'

/** Restores a version into the draft, after a confirmation if that replaces unpublished changes. */
export function useRestore(agentId: string) {
  const { t } = useTranslation('versions')
  const queryClient = useQueryClient()
  const restore = async (number: number, removeKnowledge?: boolean) => {
    await gql(RestoreAgentVersionDocument, { input: { id: agentId, number, removeKnowledge } })
    await refreshVersions(queryClient)
    void notifyDone(t('restoredDone', { number }))
  }
  return useMutation({
    mutationFn: async (number: number) => {
      // Read now: the draft may have been changed in another window.
      const { agent } = await queryClient.fetchQuery({ ...reviewQuery(agentId), staleTime: 0 })
      if (!agent.hasUnpublishedChanges) return restore(number)
      await confirm({
        title: t('restoreTitle', { number }),
        body: <DraftChanges agentId={agentId} text={t('restoreText')} />,
        confirmLabel: t('restore'),
        danger: true,
        wide: true,
        onConfirm: replacingDraft(queryClient, agentId, (removeKnowledge) => restore(number, removeKnowledge)),
      })
    },
    onError: notifyError,
  })
}
