import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { UsageDimension, UsagePageQuery } from '@/gql/graphql'
import { followMs, gql } from '@/shared/gql'
import { timeZone } from '@/shared/time'
import type { Times } from './range'
import type { Split, UsageSearch } from './useUsageSearch'

/** The sums by what they are split by, of requests alone and by interval, the sum of everything, and those of the time before. */
const UsagePageDocument = graphql(`
  query UsagePage(
    $filter: UsageFilter!
    $api: UsageFilter!
    $before: UsageFilter!
    $whole: UsageFilter!
    $inMonth: Boolean!
    $split: [UsageDimension!]!
    $interval: UsageInterval!
    $timeZone: String
  ) {
    viewer {
      id
      rows: usage(filter: $filter, groupBy: $split) {
        agent {
          id
          name
        }
        agentName
        export {
          id
          name
        }
        exportName
        model
        userId
        status
        rest
        messages
        failed
        refused
        credits
        inputTokens
        outputTokens
        durationP50Ms
        durationP95Ms
      }
      requests: usage(filter: $api, groupBy: $split) {
        agent {
          id
        }
        agentName
        export {
          id
        }
        exportName
        model
        userId
        status
        rest
        messages
      }
      total: usage(filter: $filter, groupBy: []) {
        messages
        failed
        refused
        credits
        inputTokens
        outputTokens
        durationP50Ms
        durationP95Ms
      }
      before: usage(filter: $before, groupBy: []) {
        messages
        failed
        refused
        credits
        inputTokens
        outputTokens
        durationP50Ms
      }
      whole: usage(filter: $whole, groupBy: []) @include(if: $inMonth) {
        messages
        failed
        refused
        credits
        inputTokens
        outputTokens
        durationP50Ms
      }
      points: usage(filter: $filter, groupBy: $split, interval: $interval, timeZone: $timeZone) {
        start
        agent {
          id
          name
        }
        agentName
        export {
          id
          name
        }
        exportName
        model
        userId
        status
        rest
        messages
        failed
        refused
        credits
        inputTokens
        outputTokens
      }
      times: usage(filter: $filter, groupBy: [], interval: $interval, timeZone: $timeZone) {
        start
        messages
        credits
        durationP50Ms
        durationP95Ms
      }
    }
  }
`)

export type Usage = NonNullable<UsagePageQuery['viewer']>
export type UsageRow = Usage['rows'][number]
export type UsagePoint = Usage['points'][number]
export type UsageTime = Usage['times'][number]
/** What a row or a sum counts. */
export type Counts = Pick<UsageRow, 'messages' | 'failed' | 'refused' | 'credits' | 'inputTokens' | 'outputTokens'>

const dimensions: Record<Split, UsageDimension> = {
  agent: 'AGENT',
  export: 'EXPORT',
  model: 'MODEL',
  user: 'USER',
  status: 'STATUS',
}

/** A longer range changes little, and costs more. */
const slowRefreshMs = 30_000

/** The usage of a range. The shorter it is, the more often it is read again. */
export function usagePageQuery({ agent, export: exported, source }: UsageSearch, split: Split, times: Times) {
  const { from, to, before, whole, interval } = times
  const only = { agentId: agent, exportId: exported, source }
  return queryOptions({
    queryKey: ['usage', split, times, only],
    queryFn: async ({ signal }) => {
      const variables = {
        filter: { ...only, from, to },
        api: { ...only, source: 'API' as const, from, to },
        before: { ...only, ...before },
        whole: { ...only, ...(whole ?? before) },
        inMonth: whole !== undefined,
        split: [dimensions[split]],
        interval,
        timeZone: timeZone(),
      }
      const { viewer } = await gql(UsagePageDocument, variables, { signal })
      return { ...viewer, split, asked: times }
    },
    placeholderData: keepPreviousData,
    refetchInterval: interval === 'HOUR' ? followMs : slowRefreshMs,
  })
}

/** The usage of a range, and what was asked for. */
export type UsageData = Usage & { split: Split; asked: Times }
