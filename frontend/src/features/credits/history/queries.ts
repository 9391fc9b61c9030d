import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Times } from '@/features/usage'
import { graphql } from '@/gql'
import type { CreditFilter, CreditHistoryQuery } from '@/gql/graphql'
import { gql, gqlPages } from '@/shared/gql'
import { timeZone } from '@/shared/time'
import { type Added, type Day, daysOf } from './days'

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
            number
            conversationId
            request {
              id
              preview
            }
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

/** The charges by day, and the balances before and after a range. */
const CreditDaysDocument = graphql(`
  query CreditDays(
    $filter: UsageFilter!
    $interval: UsageInterval!
    $timeZone: String
    $from: DateTime!
    $to: DateTime!
    $balances: Boolean!
  ) {
    viewer {
      id
      usage(filter: $filter, groupBy: [], interval: $interval, timeZone: $timeZone) {
        start
        credits
        messages
      }
      first: creditHistory(first: 1, filter: { to: $from }) @include(if: $balances) {
        nodes {
          id
          balanceAfter
        }
      }
      last: creditHistory(first: 1, filter: { to: $to }) @include(if: $balances) {
        nodes {
          id
          balanceAfter
        }
      }
    }
  }
`)

export type CreditEntry = NonNullable<CreditHistoryQuery['viewer']>['creditHistory']['nodes'][number]

const pageSize = 50

/** The entries of one row of the history, newest first, page by page. */
export const entriesQuery = (filter: CreditFilter) =>
  gqlPages('creditHistory', CreditHistoryDocument, { first: pageSize, filter }, (data) => data.viewer.creditHistory)

/** The history by day or, of a long range, by month. Balances are those of the whole account, so filtered rows have none. */
export function daysQuery(filter: CreditFilter, interval: Times['interval'], { from, to }: Pick<Times, 'from' | 'to'>) {
  const { kind, agentId, exportId } = filter
  const whole = !(kind || agentId || exportId)
  return queryOptions({
    queryKey: ['creditDays', filter, interval],
    queryFn: async ({ signal }): Promise<Day[]> => {
      const variables = {
        filter: { from, to, agentId, exportId },
        interval: interval === 'HOUR' ? ('DAY' as const) : interval,
        timeZone: timeZone(),
        from,
        to,
        balances: whole,
      }
      const kinds = (['GRANT', 'ADJUSTMENT'] as const).filter((one) => !kind || kind === one)
      const [{ viewer }, ...additions] = await Promise.all([
        gql(CreditDaysDocument, variables, { signal }),
        ...kinds.map((one) => additionsOf({ ...filter, kind: one }, signal)),
      ])
      const charged = !kind || kind === 'CHARGE'
      const used = viewer.usage.map(({ start, credits, messages }) => ({
        start: start ?? from,
        credits: charged ? credits : 0,
        messages: charged ? messages : 0,
      }))
      const [first, last] = [viewer.first?.nodes[0]?.balanceAfter ?? 0, viewer.last?.nodes[0]?.balanceAfter ?? 0]
      return daysOf(used, additions.flat(), { from, to }, whole ? [first, last] : undefined)
    },
    placeholderData: keepPreviousData,
  })
}

const maxPageSize = 100

/** Reads all entries of a rare kind. */
async function additionsOf(filter: CreditFilter, signal: AbortSignal): Promise<Added[]> {
  const found: Added[] = []
  let after: string | null | undefined
  do {
    const { viewer } = await gql(CreditHistoryDocument, { first: maxPageSize, after, filter }, { signal })
    const { nodes, pageInfo } = viewer.creditHistory
    found.push(...nodes)
    after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined
  } while (after)
  return found
}

/** Refetches the history, because the balance has changed. */
export function refreshCredits(queryClient: QueryClient) {
  void queryClient.invalidateQueries({ queryKey: ['dailyUsage'] })
  void queryClient.invalidateQueries({ queryKey: ['creditDays'] })
  // Lists with many pages are not refetched, because that takes one request per page.
  void queryClient.invalidateQueries({
    queryKey: ['creditHistory'],
    predicate: ({ state }) => ((state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) <= maxRefetched,
  })
}

const maxRefetched = 3
