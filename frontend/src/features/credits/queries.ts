import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { CreditFilter, CreditHistoryQuery, CreditUsageQuery } from '@/gql/graphql'
import { gql, gqlPages, gqlQuery } from '@/shared/gql'
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

const FilterAgentsDocument = graphql(`
  query CreditFilterAgents($after: String) {
    agents(first: 100, after: $after) {
      nodes {
        id
        name
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)

const FilterExportsDocument = graphql(`
  query CreditFilterExports($agentId: ID, $after: String) {
    viewer {
      id
      exports(first: 100, after: $after, filter: { agentId: $agentId }) {
        nodes {
          id
          name
          state
          agent {
            name
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

export type UsagePoint = CreditUsageQuery['viewer']['creditUsage'][number]

export type CreditEntry = CreditHistoryQuery['viewer']['creditHistory']['nodes'][number]

const pageSize = 50

/** The credit history, newest first, page by page. */
export const historyQuery = (filter: CreditFilter) =>
  gqlPages('creditHistory', CreditHistoryDocument, { first: pageSize, filter }, (data) => data.viewer.creditHistory)

/** The charges of each day of a range, in the reader's time zone. */
export const usageQuery = ({ from, to }: UsageRange) =>
  gqlQuery('creditUsage', CreditUsageDocument, { from, to, timeZone: timeZone() })

/** The most options that a filter offers, newest first. */
const mostChoices = 1_000
const choicesStaleMs = 60_000

/** The agents to filter by. */
export const filterAgentsQuery = queryOptions({
  queryKey: ['agents', 'creditFilter'],
  queryFn: ({ signal }) => everyPage(async (after) => (await gql(FilterAgentsDocument, { after }, { signal })).agents),
  staleTime: choicesStaleMs,
})

/** The exports to filter by, including removed ones: of one agent, or all. */
export const filterExportsQuery = (agentId: string | undefined) =>
  queryOptions({
    queryKey: ['exports', 'creditFilter', agentId],
    queryFn: ({ signal }) =>
      everyPage(async (after) => (await gql(FilterExportsDocument, { agentId, after }, { signal })).viewer.exports),
    staleTime: choicesStaleMs,
  })

type Page<Node> = { nodes: Node[]; pageInfo: { hasNextPage: boolean; endCursor?: string | null } }

async function everyPage<Node>(load: (after: string | null) => Promise<Page<Node>>): Promise<Node[]> {
  const all: Node[] = []
  let after: string | null = null
  do {
    const page: Page<Node> = await load(after)
    all.push(...page.nodes)
    after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null
  } while (after !== null && all.length < mostChoices)
  return all
}

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
