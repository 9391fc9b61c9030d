import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { releaseQueries } from '@/shared/gql'

/**
 * Lets the first page ask, once it is there and `ready`. Effects of a parent come after those of its children, so by then all of
 * its parts have asked.
 */
export function useFirstQueries(ready: boolean) {
  const shown = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation !== undefined })
  useEffect(() => {
    if (ready && shown) releaseQueries()
  }, [ready, shown])
}
