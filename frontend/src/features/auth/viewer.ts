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

const SecondFactorDocument = graphql(`
  query SecondFactor {
    me {
      id
      emailVerified
      secondFactor
      recoveryCodesLeft
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

/** Whether the signed-in user has a second factor, with which proofs are other ones. */
export const secondFactorQuery = gqlQuery('secondFactor', SecondFactorDocument)

/** Whether a proof takes a code; false until it is known. */
export function useSecondFactor(): boolean {
  return useQuery(secondFactorQuery).data?.me.secondFactor ?? false
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
