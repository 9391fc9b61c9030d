import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { session } from '@/shared/gql'
import { LoadingState, QueryView } from '@/shared/ui'
import { ExplorerFrame } from './ExplorerFrame'

// GraphiQL and the schema are loaded only after signing in.
const Workbench = lazy(() => import('./Workbench'))

/** The sign-in page, which leads back here. */
const signInAddress = `/login?next=${encodeURIComponent('/explorer')}`

/** The GraphQL explorer: GraphiQL, with the signed-in account. */
export function ExplorerPage() {
  const signedIn = useQuery({
    queryKey: ['signed-in'],
    queryFn: () => session.isSignedIn(),
    // Later changes come as session events.
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
