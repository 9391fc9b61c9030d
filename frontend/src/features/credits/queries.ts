import type { QueryClient } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { CreditFilter, CreditHistoryQuery, CreditUsageQuery } from '@/gql/graphql'
import { gqlPages, gqlQuery } from '@/shared/gql'
import { timeZone, type UsageRange } from './range'

export const CreditHistoryDocument = graphql(`
  query CreditHistory($first: Int, $after: String, $filter: CreditFilter) {
    viewer {
      id
      createdAt
      creditHistory(first: $first, after: $after, filter: $filter) {
        nodes {
          id
          kind
          amount
          balanceAfter
          createdAt
          note
          agentName
          exportName
          agent {
            id
            name
          }
          export {
            id
            name
          }
          turn {
            id
            conversationId
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)

const CreditUsageDocument = graphql(`
  query CreditUsage($from: DateTime!, $to: DateTime!, $timeZone: String) {
    viewer {
      id
      creditUsage(from: $from, to: $to, by: DAY, timeZone: $timeZone) {
        start
        credits
        messages
      }
    }
  }
`)

export type UsagePoint = CreditUsageQuery['viewer']['creditUsage'][number]

export type CreditEntry = CreditHistoryQuery['viewer']['creditHistory']['nodes'][number]

const pageSize = 50

/** The credit history, newest first, page by page. */
export const historyQuery = (filter: CreditFilter) =>
  gqlPages('creditHistory', CreditHistoryDocument, { first: pageSize, filter }, (data) => data.viewer.creditHistory)

/** The charges of each day of a range, in the reader's time zone. */
export const usageQuery = ({ from, to }: UsageRange) =>
  gqlQuery('creditUsage', CreditUsageDocument, { from, to, timeZone: timeZone() })

/** Refetches usage and history, because the balance has changed. */
export function refreshCredits(queryClient: QueryClient) {
  void queryClient.invalidateQueries({ queryKey: ['creditUsage'] })
  // A history of many pages is left alone: it would be refetched page by page.
  void queryClient.invalidateQueries({
    queryKey: ['creditHistory'],
    predicate: ({ state }) => ((state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) <= mostFollowed,
  })
}

const mostFollowed = 3
