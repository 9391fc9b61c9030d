import type { QueryClient } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { CreditFilter, CreditHistoryQuery, DailyUsageQuery } from '@/gql/graphql'
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

const DailyUsageDocument = graphql(`
  query DailyUsage($from: DateTime!, $to: DateTime!, $timeZone: String) {
    viewer {
      id
      usage(filter: { from: $from, to: $to }, groupBy: [], interval: DAY, timeZone: $timeZone) {
        start
        credits
        messages
      }
    }
  }
`)

export type UsagePoint = { start: string; credits: number; messages: number }

export type CreditEntry = CreditHistoryQuery['viewer']['creditHistory']['nodes'][number]

const pageSize = 50

/** The credit history, newest first, page by page. */
export const historyQuery = (filter: CreditFilter) =>
  gqlPages('creditHistory', CreditHistoryDocument, { first: pageSize, filter }, (data) => data.viewer.creditHistory)

/** The charges of each day of a range, in the reader's time zone. */
export const usageQuery = ({ from, to }: UsageRange) => ({
  ...gqlQuery('dailyUsage', DailyUsageDocument, { from, to, timeZone: timeZone() }),
  select: ({ viewer }: DailyUsageQuery): UsagePoint[] =>
    viewer.usage.map((row) => ({ ...row, start: row.start ?? from })),
})

/** Refetches usage and history, because the balance has changed. */
export function refreshCredits(queryClient: QueryClient) {
  void queryClient.invalidateQueries({ queryKey: ['dailyUsage'] })
  // A history of many pages is left alone: it would be refetched page by page.
  void queryClient.invalidateQueries({
    queryKey: ['creditHistory'],
    predicate: ({ state }) => ((state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) <= mostFollowed,
  })
}

const mostFollowed = 3
