import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followFirstPage } from '@/shared/gql'
import { versionsQuery } from './queries'

/** An agent's versions, newest first, as far as they are loaded: at least down to the one that is wanted. */
export function useVersions(agentId: string, wanted?: number) {
  const query = useInfiniteQuery({ ...versionsQuery(agentId), refetchInterval: followFirstPage })
  const edges = query.data?.pages.flatMap((page) => page.agent.versions.edges) ?? []
  const oldest = edges.at(-1)?.node.number
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  // After each page it looks again, by `oldest`: no other dependency need have changed.
  useEffect(() => {
    const short = wanted !== undefined && oldest !== undefined && oldest > wanted
    if (short && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [wanted, oldest, hasNextPage, isFetching, isError, fetchNextPage])
  return { query, edges }
}
