import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { HomeUsageQuery } from '@/gql/graphql'
import { gql } from '@/shared/gql'
import { dayMs, hourMs, serverNow, timeZone } from '@/shared/time'

/** Everything that is counted on the home page, in one request. Lines are of both periods, figures of each. */
const HomeUsageDocument = graphql(`
  query HomeUsage(
    $from: DateTime!
    $before: DateTime!
    $to: DateTime!
    $hourAgo: DateTime!
    $interval: UsageInterval!
    $timeZone: String
  ) {
    viewer {
      id
      now: usage(filter: { from: $from, to: $to }, groupBy: []) {
        messages
        failed
        refused
        credits
        durationP50Ms
        durationP95Ms
      }
      before: usage(filter: { from: $before, to: $from }, groupBy: []) {
        messages
        failed
        durationP50Ms
      }
      points: usage(
        filter: { from: $before, to: $to }
        groupBy: []
        interval: $interval
        timeZone: $timeZone
      ) {
        start
        messages
        failed
        credits
        durationP50Ms
        durationP95Ms
      }
      agents: usage(filter: { from: $from, to: $to }, groupBy: [AGENT, SOURCE]) {
        agent {
          id
          name
        }
        source
        messages
        failed
        credits
      }
      agentPoints: usage(
        filter: { from: $from, to: $to }
        groupBy: [AGENT]
        interval: $interval
        timeZone: $timeZone
      ) {
        start
        agent {
          id
        }
        messages
      }
      lastHour: usage(filter: { from: $hourAgo, to: $to, source: API }, groupBy: [AGENT, STATUS]) {
        agent {
          id
          name
        }
        status
        messages
        failed
      }
    }
  }
`)

export const ranges = ['24h', '7d'] as const
export type Range = (typeof ranges)[number]

export type Counted = NonNullable<HomeUsageQuery['viewer']>
export type LastHourRow = Counted['lastHour'][number]

const quarterMs = hourMs / 4

/** How the periods are cut up into points. */
export const scales = {
  '24h': { interval: 'HOUR', points: 24, lengthMs: dayMs, pointMs: hourMs },
  '7d': { interval: 'DAY', points: 7, lengthMs: 7 * dayMs, pointMs: dayMs },
} as const

/** The times to ask for. The end is that of the quarter of an hour, because the server's time is only nearly known. */
export function timesOf(range: Range, now: number) {
  const { lengthMs, interval } = scales[range]
  const ago = (ms: number) => new Date(now - ms).toISOString()
  return {
    from: ago(lengthMs),
    before: ago(2 * lengthMs),
    to: new Date((Math.floor(now / quarterMs) + 1) * quarterMs).toISOString(),
    hourAgo: ago(hourMs),
    interval,
  }
}

/** The usage of a period and of the one before it, with the time at which it was asked for. */
export const homeUsageQuery = (range: Range) =>
  queryOptions({
    queryKey: ['homeUsage', range],
    queryFn: async ({ signal }) => {
      const at = serverNow()
      const { viewer } = await gql(HomeUsageDocument, { ...timesOf(range, at), timeZone: timeZone() }, { signal })
      return { at, range, usage: viewer }
    },
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

export type HomeUsage = { at: number; range: Range; usage: Counted }
