import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { QueryView, useFocusReturn } from '@/shared/ui'
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
  useFocusReturn()
  // What was read is what is published: it must not change under the reader.
  const query = useQuery({
    ...reviewQuery(agentId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      size={1000}
      title={
        <span className="panel-user-text" style={{ display: 'block' }}>
          {query.data ? t('publishTitle', { name: query.data.agent.name }) : t('publish')}
        </span>
      }
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
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
    </Modal>
  )
}
