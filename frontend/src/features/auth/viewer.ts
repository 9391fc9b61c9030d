import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { graphql } from '@/gql'
import { anonymousGql, gqlQuery } from '@/shared/gql'

const ViewerDocument = graphql(`
  query Viewer {
    me {
      id
      email
    }
    viewer {
      id
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
      mail
    }
  }
`)

/** The balance must be current within 15 s; this leaves time for the answer. */
const pollMs = 12_000

/** The signed-in user, and the account with its balance. All pages share it; it is polled while the page is visible. */
export const viewerQuery = gqlQuery('viewer', ViewerDocument)

export function useViewer() {
  return useQuery({ ...viewerQuery, refetchInterval: pollMs })
}

/** Refetches the balance immediately. Call it after anything that costs credits. */
export function refreshViewer(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['viewer'] })
}

/** Information about the service from its operator. Needs no sign-in. */
export const serviceInfoQuery = queryOptions({
  queryKey: ['serviceInfo'],
  queryFn: async ({ signal }) => (await anonymousGql(ServiceInfoDocument, undefined, { signal })).data.serviceInfo,
  staleTime: 5 * 60_000,
})

export function useServiceInfo() {
  return useQuery(serviceInfoQuery)
}
