import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { timeZone } from '@/features/credits'
import { graphql } from '@/gql'
import type { UsageDimension, UsagePageQuery } from '@/gql/graphql'
import { followMs, gql } from '@/shared/gql'
import type { Times, UsageSearch } from './range'

/** The sums by what they are split by, the same by interval, the sum of everything, and that of the range before. */
const UsagePageDocument = graphql(`
  query UsagePage(
    $filter: UsageFilter!
    $before: UsageFilter!
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
        credits
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

export type Usage = UsagePageQuery['viewer']
export type UsageRow = Usage['rows'][number]
export type UsagePoint = Usage['points'][number]
export type UsageTime = Usage['times'][number]

const dimensions: Record<NonNullable<UsageSearch['split']>, UsageDimension> = {
  agent: 'AGENT',
  export: 'EXPORT',
  model: 'MODEL',
  user: 'USER',
  status: 'STATUS',
}

/** A longer range changes little, and costs more. */
const slowRefreshMs = 30_000

/** The usage of a range. The shorter it is, the more often it is read again. */
export function usagePageQuery(search: UsageSearch, times: Times) {
  const { from, to, before, interval } = times
  const only = { agentId: search.agent, exportId: search.export, source: search.source }
  const split = search.split ?? 'agent'
  return queryOptions({
    queryKey: ['usage', split, times, only],
    queryFn: async ({ signal }) => {
      const variables = {
        filter: { ...only, from, to },
        before: { ...only, from: before, to: from },
        split: [dimensions[split]],
        interval,
        timeZone: timeZone(),
      }
      const { viewer } = await gql(UsagePageDocument, variables, { signal })
      return { ...viewer, split, interval }
    },
    placeholderData: keepPreviousData,
    refetchInterval: interval === 'HOUR' ? followMs : slowRefreshMs,
  })
}

export type UsageData = Usage & { split: NonNullable<UsageSearch['split']>; interval: Times['interval'] }
