import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isUnread, refreshKnowledge, type Source } from './queries'

/** Reads anew what shows the knowledge each time that one of the sources has been read: it counts from then on. */
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
