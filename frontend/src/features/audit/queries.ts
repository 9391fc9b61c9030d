import { graphql } from '@/gql'
import type { AuditFilter, AuditLogQuery } from '@/gql/graphql'
import { gqlPages, type Whole } from '@/shared/gql'

export const AuditLogDocument = graphql(`
  query AuditLog($first: Int, $after: String, $filter: AuditFilter) {
    viewer {
      id
      createdAt
      auditLog(first: $first, after: $after, filter: $filter) {
        nodes {
          id
          at
          actor {
            kind
            actorId
            name
          }
          action
          subject
          details {
            field
          }
          address
          browser
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)

type Trail = NonNullable<Whole<AuditLogQuery>['viewer']['auditLog']>

export type Entry = Trail['nodes'][number]

/** The page of the trail in a response. It is null only if the response has an error. */
export const trailOf = ({ viewer }: Whole<AuditLogQuery>): Trail =>
  viewer.auditLog ?? { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } }

const pageSize = 50

/** The entries, newest first, page by page. */
export const auditQuery = (filter: AuditFilter) =>
  gqlPages('auditLog', AuditLogDocument, { first: pageSize, filter }, trailOf)
