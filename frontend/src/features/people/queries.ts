import { graphql } from '@/gql'
import type { EndUserFilter, PeopleQuery } from '@/gql/graphql'
import { gqlPages, gqlQuery } from '@/shared/gql'
import { serverNow, startOfDay, startOfMonth } from '@/shared/time'

const PeopleDocument = graphql(`
  query People($first: Int, $after: String, $filter: EndUserFilter) {
    viewer {
      id
      endUsers(first: $first, after: $after, filter: $filter) {
        nodes {
          userId
          firstSeenAt
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
  query Person($userId: String!, $from: DateTime!, $to: DateTime!) {
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

/** The people of the whole account in the order of their ids, page by page, with their use of all agents or of one. */
export const peopleQuery = (filter: EndUserFilter) =>
  gqlPages('people', PeopleDocument, { first: pageSize, filter }, (data) => data.viewer.endUsers)

/** A person, with their use of this month so far. The range ends with the day, so that it stays the same from one question to the next. */
export const personQuery = (userId: string) => gqlQuery('person', personDocument, personVariables(userId))

export function personVariables(userId: string) {
  const now = serverNow()
  return { userId, from: startOfMonth(now), to: startOfDay(now, 1) }
}
