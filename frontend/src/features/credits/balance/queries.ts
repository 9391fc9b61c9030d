import { graphql } from '@/gql'
import type { DailyUsageQuery } from '@/gql/graphql'
import { gqlQuery, type Whole } from '@/shared/gql'
import { type Span, timeZone } from '@/shared/time'

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

export const TopUpDocument = graphql(`
  query TopUp {
    viewer {
      id
      topUpUrl
    }
  }
`)

/** Whether credits can be bought. The link itself is asked for when somebody goes there. */
export const topUpQuery = { ...gqlQuery('topUp', TopUpDocument), staleTime: Number.POSITIVE_INFINITY }

export type UsagePoint = { start: string; credits: number; messages: number }

/** The charges of each day of a range, in the reader's time zone. */
export const usageQuery = ({ from, to }: Span) => ({
  ...gqlQuery('dailyUsage', DailyUsageDocument, { from, to, timeZone: timeZone() }),
  select: ({ viewer }: Whole<DailyUsageQuery>): UsagePoint[] =>
    viewer.usage.map((row) => ({ ...row, start: row.start ?? from })),
})
