import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { Role } from '@/gql/graphql'
import { dropDraftsOfOthers } from '@/shared/drafts'
import { anonymousGql, gql, gqlQuery, keepAccount, lastRole, session } from '@/shared/gql'

const ViewerDocument = graphql(`
  query Viewer {
    me {
      id
      name
      email
      memberships {
        account {
          accountId
          name
        }
        role
      }
    }
    viewer {
      id
      name
      viewerRole
      creditBalance
      creditsHeld
      creditsAvailable
      lowCreditsAt
    }
    serviceInfo {
      signUpOpen
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
      startingCredits
      bridgeUrl
    }
  }
`)

/** The balance must be current within 15 s; this leaves time for the answer. */
const pollMs = 12_000

/**
 * The signed-in user, and the account with its balance. All pages share it; it is polled while the page is visible. The first answer says
 * which account all later requests are about.
 */
export const viewerQuery = queryOptions({
  ...gqlQuery('viewer', ViewerDocument),
  queryFn: async ({ signal }) => {
    const answer = await gql(ViewerDocument, undefined, { signal })
    keepAccount(answer.viewer.id, answer.me.id, answer.viewer.viewerRole)
    dropDraftsOfOthers(answer.me.id)
    return answer
  },
})

export function useViewer() {
  return useQuery({ ...viewerQuery, refetchInterval: pollMs })
}

/** What is known of the user and the account, without asking. */
const useKnownViewer = () => useQuery({ ...viewerQuery, enabled: false }).data

/** Whether the user is a member of several accounts, as far as that is known. */
export const useSeveralAccounts = () => (useKnownViewer()?.me.memberships.length ?? 0) > 1

/** The roles, least first. */
export const roles: readonly Role[] = ['VIEWER', 'EDITOR', 'OWNER']

/** Whether the user's role in the account allows what takes at least this one. The service decides; the panel only offers nothing else. */
export function useMay(least: Role): boolean {
  const role = useKnownViewer()?.viewer.viewerRole ?? lastRole()
  return role === undefined || roles.indexOf(role as Role) >= roles.indexOf(least)
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
  queryFn: async ({ signal }) => {
    // Signed in, it is asked along with other queries.
    if (session.known()) return (await gql(ServiceInfoDocument, undefined, { signal })).serviceInfo
    return (await anonymousGql(ServiceInfoDocument, undefined, { signal })).data.serviceInfo
  },
  staleTime: 5 * 60_000,
})

export function useServiceInfo() {
  return useQuery(serviceInfoQuery)
}
