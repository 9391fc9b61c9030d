import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { graphql } from '@/gql'
import { anonymousGql, gqlQuery } from '@/shared/gql'

const ViewerDocument = graphql(`
  query Viewer {
    viewer {
      id
      email
      name
      creditBalance
      creditsHeld
      creditsAvailable
    }
  }
`)

const ServiceInfoDocument = graphql(`
  query ServiceInfo {
    serviceInfo {
      version
      baseUrl
      signUpOpen
      creditsHelp
      supportContact
    }
  }
`)

/** Short of the 15 s within which the balance is to be right, because the answer takes a moment too. */
const pollMs = 12_000

/** Who is signed in, with the balance. Every page sees the same one, asked for again and again while the page is visible. */
export const viewerQuery = gqlQuery('viewer', ViewerDocument)

export function useViewer() {
  return useQuery({ ...viewerQuery, refetchInterval: pollMs })
}

/** Asks for the balance at once: to be called after whatever costs credits. */
export function refreshViewer(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['viewer'] })
}

/** What the operator says of the service; needs no sign-in. */
export const serviceInfoQuery = queryOptions({
  queryKey: ['serviceInfo'],
  queryFn: async ({ signal }) => (await anonymousGql(ServiceInfoDocument, undefined, { signal })).data.serviceInfo,
  staleTime: 5 * 60_000,
})

export function useServiceInfo() {
  return useQuery(serviceInfoQuery)
}
