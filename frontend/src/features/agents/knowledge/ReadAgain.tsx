import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { notifyError, PendingButton } from '@/shared/ui'
import { RetryKnowledgeSourceDocument, refreshKnowledge } from './queries'

/** Retries a file that could not be read. */
export function ReadAgain({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('knowledge')
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: async () => {
      await gql(RetryKnowledgeSourceDocument, { input: { id } })
      // The button disappears, so the focus moves to the row.
      document.activeElement?.closest('[data-row]')?.querySelector<HTMLElement>('.panel-row-link')?.focus()
      await refreshKnowledge(queryClient)
    },
    onError: notifyError,
  })
  return (
    <PendingButton
      variant="default"
      size="xs"
      className="panel-row-control"
      aria-label={t('readAgainOne', { name })}
      pending={retry.isPending}
      onClick={() => retry.mutate()}
    >
      {t('readAgain')}
    </PendingButton>
  )
}
