import { graphql } from '@/gql'
import type { RequestCountsQuery, UsageFilter } from '@/gql/graphql'
import { gqlQuery, type Whole } from '@/shared/gql'
import { dayMs, hourMs, type Span, startOfDay, timeZone } from '@/shared/time'
import { statusOf } from './failures'
import type { RequestRow } from './queries'

const RequestCountsDocument = graphql(`
  query RequestCounts($range: UsageFilter!, $period: UsageFilter!, $interval: UsageInterval!, $timeZone: String) {
    viewer {
      id
      rejectedRequestDays
      codes: usage(filter: $range, groupBy: [STATUS, AGENT]) {
        status
        agent {
          id
        }
        rest
        messages
        failed
        refused
      }
      bars: usage(filter: $period, groupBy: [], interval: $interval, timeZone: $timeZone) {
        start
        messages
        failed
        refused
      }
    }
  }
`)

const SimilarRequestsDocument = graphql(`
  query SimilarRequests($filter: UsageFilter!) {
    viewer {
      id
      usage(filter: $filter, groupBy: [STATUS]) {
        status
        failed
        refused
      }
    }
  }
`)

type Of = Pick<UsageFilter, 'agentId' | 'exportId' | 'userId'>
type OpenSpan = Partial<Span>

/** Before the service was, and after whatever happens. */
const ever = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
const mostDays = 366

export type StripSpan = Span & { interval: 'HOUR' | 'DAY' }

/** What the strip shows of a period: hours up to 7 days, otherwise days, of which it has room for a year. */
export function stripSpan({ from, to }: OpenSpan, now: number): StripSpan {
  const end = to ?? startOfDay(Math.max(now, Date.parse(from ?? '') || 0), 1)
  const oldest = startOfDay(end, -mostDays)
  const start = from && from > oldest ? from : oldest
  // A week with a change of the clock may have an hour more.
  const hourly = Date.parse(end) - Date.parse(start) <= 7 * dayMs + hourMs
  return { from: start, to: end, interval: hourly ? 'HOUR' : 'DAY' }
}

/** Counts the requests of a range by result and code, and those of the strip by time. */
export const countsQuery = (of: Of, range: OpenSpan, strip: StripSpan) => ({
  ...gqlQuery('requestCounts', RequestCountsDocument, {
    range: { ...ever, ...range, ...of, source: 'API' },
    period: { from: strip.from, to: strip.to, ...of, source: 'API' },
    interval: strip.interval,
    timeZone: timeZone(),
  }),
  select: ({ viewer }: Whole<RequestCountsQuery>) => viewer,
})

type Counted = { start?: string | null; messages: number; failed: number; refused: number }

export type Bar = Span & { answered: number; failed: number; rejected: number }

/** The bars of the strip, without the empty time before the first request of an open period. */
export function barsOf(rows: Counted[], { to }: Pick<Span, 'to'>, open = false): Bar[] {
  const bars = rows.map(({ start, messages, failed, refused }, at) => ({
    from: start ?? '',
    to: rows[at + 1]?.start ?? to,
    answered: messages,
    failed,
    rejected: refused,
  }))
  const first = bars.findIndex(({ answered, failed, rejected }) => answered + failed + rejected > 0)
  return open ? bars.slice(Math.max(first, 0)) : bars
}

/** A code with the number of its requests; undefined if the list may have fewer. */
export type Code = { code: string; failed: boolean; count?: number }
export type Counts = { codes: Code[]; all?: number; ANSWERED?: number; FAILED?: number; REFUSED?: number }

type ByCode = Omit<Counted, 'start'> & { status?: string | null; agent?: object | null; rest: boolean }

/**
 * The numbers of the list's rows, without stored replies. The list has no requests of deleted agents. If it may also lack rejected
 * ones, which are kept for some days only, or if there are more rows than the service returns, there is no number.
 */
export function countsOf(rows: ByCode[], rejectedAreKept: boolean): Counts {
  const whole = !rows.some(({ rest }) => rest)
  const by = new Map<string, Omit<Counted, 'start'>>()
  const sum = { messages: 0, failed: 0, refused: 0 }
  for (const { status, agent, messages, failed, refused } of rows) {
    if (!agent || !status) continue
    const one = by.get(status) ?? { messages: 0, failed: 0, refused: 0 }
    by.set(status, one)
    for (const to of [one, sum]) {
      to.messages += messages
      to.failed += failed
      to.refused += refused
    }
  }
  const rejectedKnown = whole && (rejectedAreKept || sum.refused === 0)
  const codes = [...by]
    .filter(([, { failed, refused }]) => failed + refused > 0)
    .map(([code, { failed, refused }]) => ({ code, failed, refused, order: orderOf(code), sum: failed + refused }))
    .sort((a, b) => a.order - b.order || b.sum - a.sum || (a.code < b.code ? -1 : 1))
    .map(({ code, failed, refused, sum: count }) => ({
      code,
      failed: failed > 0,
      count: whole && (rejectedKnown || refused === 0) ? count : undefined,
    }))
  return {
    codes,
    all: rejectedKnown ? sum.messages + sum.failed + sum.refused : undefined,
    ANSWERED: whole ? sum.messages : undefined,
    FAILED: whole ? sum.failed : undefined,
    REFUSED: rejectedKnown ? sum.refused : undefined,
  }
}

/** The numbers of a whole list without stored replies. */
export const countsOfList = (rows: RequestRow[]) =>
  countsOf(
    rows.map(({ node: { outcome, code, agent } }) => ({
      status: code ?? 'answered',
      agent,
      rest: false,
      messages: Number(outcome === 'ANSWERED'),
      failed: Number(outcome === 'FAILED'),
      refused: Number(outcome === 'REFUSED'),
    })),
    true,
  )

/** Codes of 5xx come first, then those of 4xx. */
const orderOf = (code: string) => ((statusOf(code) ?? 0) >= 500 ? 0 : 1)

/** Whether all rejected requests since the beginning of a range are still kept. */
export const areKept = (from: string | undefined, days: number, now: number) =>
  from !== undefined && Date.parse(from) >= now - days * dayMs

const quarterMs = hourMs / 4

/** The hour that now is in, in whole quarters, by which failed and rejected requests are counted. */
export function lastHour(now: number): Span {
  const from = Math.floor(now / quarterMs) * quarterMs - 3 * quarterMs
  return { from: new Date(from).toISOString(), to: new Date(from + hourMs).toISOString() }
}

/** How many requests to an agent failed or were rejected with a code. */
export const similarQuery = (code: string, agentId: string | undefined, range: Span) => ({
  ...gqlQuery('similarRequests', SimilarRequestsDocument, { filter: { ...range, agentId, source: 'API' } }),
  select: ({ viewer }: { viewer: { usage: { status?: string | null; failed: number; refused: number }[] } }) =>
    viewer.usage.reduce((sum, { status, failed, refused }) => (status === code ? sum + failed + refused : sum), 0),
})
