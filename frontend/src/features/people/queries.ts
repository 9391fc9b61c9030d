import { graphql } from '@/gql'
import type { EndUserFilter, PeopleQuery, PersonQuery } from '@/gql/graphql'
import { gqlPages, gqlQuery } from '@/shared/gql'
import { lastDays, serverNow, startOfMonth, timeZone } from '@/shared/time'

const PeopleDocument = graphql(`
  query People($first: Int, $after: String, $filter: EndUserFilter, $orderBy: EndUserOrder) {
    viewer {
      id
      endUsers(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
        nodes {
          userId
          lastSeenAt
          messages
          credits
          blocked
          dailyMessageLimit
          messagesToday
          nearestExportLimit {
            dailyMessageLimit
            messagesToday
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

export const personDocument = graphql(`
  query Person($userId: String!, $from: DateTime!, $since: DateTime!, $to: DateTime!, $timeZone: String) {
    viewer {
      id
      endUser(userId: $userId) {
        userId
        firstSeenAt
        lastSeenAt
        messages
        credits
        conversations
        blocked
        dailyMessageLimit
        messagesToday
        nearestExportLimit {
          dailyMessageLimit
          messagesToday
          export {
            id
            name
          }
        }
      }
      month: usage(filter: { userId: $userId, from: $from, to: $to }, groupBy: []) {
        messages
        failed
        credits
      }
      days: usage(
        filter: { userId: $userId, from: $since, to: $to, source: API }
        groupBy: []
        interval: DAY
        timeZone: $timeZone
      ) {
        start
        messages
        failed
        refused
      }
    }
  }
`)

export const DeleteEndUserDocument = graphql(`
  mutation DeleteEndUser($input: DeleteEndUserInput!) {
    deleteEndUser(input: $input) {
      deletedCount
    }
  }
`)

export const BlockEndUserDocument = graphql(`
  mutation BlockEndUser($input: BlockEndUserInput!) {
    blockEndUser(input: $input) {
      endUser {
        blocked
      }
    }
  }
`)

export const UnblockEndUserDocument = graphql(`
  mutation UnblockEndUser($input: UnblockEndUserInput!) {
    unblockEndUser(input: $input) {
      endUser {
        blocked
      }
    }
  }
`)

export const SetEndUserLimitDocument = graphql(`
  mutation SetEndUserLimit($input: SetEndUserLimitInput!) {
    setEndUserLimit(input: $input) {
      endUser {
        dailyMessageLimit
      }
    }
  }
`)

export type UsageDay = NonNullable<PersonQuery['viewer']>['days'][number]
export type Row = NonNullable<PeopleQuery['viewer']>['endUsers']['nodes'][number]

/** What counts against a person today: of their own limit, or of the export's limit of which least is left; without a limit, the count. */
export function todayOf(row: Pick<Row, 'dailyMessageLimit' | 'messagesToday' | 'nearestExportLimit'>) {
  if (row.dailyMessageLimit != null) return { used: row.messagesToday, limit: row.dailyMessageLimit }
  const nearest = row.nearestExportLimit
  return nearest
    ? { used: nearest.messagesToday, limit: nearest.dailyMessageLimit }
    : { used: row.messagesToday, limit: undefined }
}

const pageSize = 50

/** Each order has one direction only. */
const orders = [
  { field: 'LAST_SEEN', direction: 'DESC' },
  { field: 'USER_ID', direction: 'ASC' },
] as const
export type Order = (typeof orders)[number]['field']
export const orderNames = orders.map(({ field }) => field)

/** The users of the whole account in an order, page by page, with their use of all agents or of one. */
export const peopleQuery = (filter: EndUserFilter, order: Order) =>
  gqlPages(
    'people',
    PeopleDocument,
    { first: pageSize, filter, orderBy: orders.find(({ field }) => field === order) },
    (data) => data.viewer.endUsers,
  )

/** A user, with their use of this month so far and of each of the last 30 days. */
export const personQuery = (userId: string) => gqlQuery('person', personDocument, personVariables(userId))

/** The ranges end with the day, so that they stay the same from one question to the next. */
export function personVariables(userId: string) {
  const now = serverNow()
  const { from: since, to } = lastDays(30, now)
  return { userId, from: startOfMonth(now), since, to, timeZone: timeZone() }
}
