import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isUnread, refreshKnowledge, type Source } from './queries'

/** Refetches the knowledge each time the service has read a source, because the source counts from then on. */
export function useRefreshOnceRead(sources: readonly Pick<Source, 'id' | 'state'>[]) {
  const queryClient = useQueryClient()
  const unread = sources
    .filter(isUnread)
    .map(({ id }) => id)
    .join()
  useEffect(() => {
    if (unread === '') return
    return () => void refreshKnowledge(queryClient)
  }, [unread, queryClient])
}
