import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Dialog, QueryView } from '@/shared/ui'
import { reviewQuery } from '../queries'
import { PublishForm } from './PublishForm'

type Props = {
  agentId: string
  /** Saves what was typed, before it is thrown away. */
  saveDraft: () => Promise<unknown>
  onClose: () => void
  onPublished: () => void
}

/** Shows what callers will get, asks for a note, and publishes. Loaded on first use. */
export function PublishDialog({ agentId, saveDraft, onClose, onPublished }: Props) {
  const { t } = useTranslation('versions')
  // The dialog publishes the draft that it shows: it reads the draft when it opens, and does not refetch it.
  const query = useQuery({
    ...reviewQuery(agentId),
    queryKey: ['publishing', { id: agentId }],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
  return (
    <Dialog
      onClose={onClose}
      size={1000}
      title={query.data ? t('publishTitle', { name: query.data.agent.name }) : t('publish')}
    >
      <QueryView query={query}>
        {({ agent }) => (
          <PublishForm
            agent={agent}
            reread={() => query.refetch({ throwOnError: true })}
            saveDraft={saveDraft}
            onClose={onClose}
            onPublished={onPublished}
          />
        )}
      </QueryView>
    </Dialog>
  )
}
