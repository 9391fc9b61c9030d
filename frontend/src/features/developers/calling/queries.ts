import { queryOptions } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { FirstRequestQuery } from '@/gql/graphql'
import { gqlQuery, type Whole } from '@/shared/gql'

const FirstRequestDocument = graphql(`
  query FirstRequest($exportId: ID!) {
    viewer {
      id
      creditsAvailable
      requests(first: 5, filter: { exportId: $exportId }) {
        nodes {
          id
          at
          outcome
          status
          code
          detail
          credits
          durationMs
          turn {
            message
            reply
          }
        }
      }
    }
  }
`)

/** How often the service is asked for the first request while the page is shown. */
const askMs = 1_000

export type ReceivedRequest = NonNullable<FirstRequestQuery['viewer']>['requests']['nodes'][number]

/** The request that says how far the caller has come: an answered one, or else the newest. */
export const firstRequestOf = ({ viewer }: Whole<FirstRequestQuery>): ReceivedRequest | undefined =>
  viewer.requests.nodes.find(({ outcome }) => outcome === 'ANSWERED') ?? viewer.requests.nodes[0]

/** When to ask again: never once a request was answered. */
export const pollInterval = (data?: Whole<FirstRequestQuery>) =>
  data && firstRequestOf(data)?.outcome === 'ANSWERED' ? false : askMs

/** The newest requests of an export, again and again until one was answered. */
export const firstRequestQuery = (exportId: string) =>
  queryOptions({
    ...gqlQuery('firstRequest', FirstRequestDocument, { exportId }),
    staleTime: 0,
    refetchInterval: ({ state }) => pollInterval(state.data),
  })
