import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { session } from '@/shared/gql'
import { LoadingState, QueryView } from '@/shared/ui'
import { ExplorerFrame } from './ExplorerFrame'

// Strangers do not load GraphiQL, and the schema only with it.
const Workbench = lazy(() => import('./Workbench'))

/** Where a visitor who is not signed in goes, and comes back from. */
const signInAddress = `/login?next=${encodeURIComponent('/explorer')}`

/** The GraphQL explorer: GraphiQL, as whoever is signed in. */
export function ExplorerPage() {
  const signedIn = useQuery({
    queryKey: ['signed-in'],
    queryFn: () => session.isSignedIn(),
    // The session's own events tell of changes.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const isStranger = signedIn.data === false
  useEffect(() => {
    if (isStranger) window.location.replace(signInAddress)
  }, [isStranger])
  return (
    <ExplorerFrame>
      <QueryView query={signedIn} loading={<Waiting />}>
        {(isSignedIn) => <Suspense fallback={<Waiting />}>{isSignedIn ? <Workbench /> : <Waiting />}</Suspense>}
      </QueryView>
    </ExplorerFrame>
  )
}

function Waiting() {
  return (
    <Box p="md">
      <LoadingState rows={3} />
    </Box>
  )
}
