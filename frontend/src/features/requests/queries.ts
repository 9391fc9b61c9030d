import { startOfDate } from '@/features/credits'
import { graphql } from '@/gql'
import type { RequestFilter, RequestOutcome, RequestQuery, RequestsQuery } from '@/gql/graphql'
import { gqlPages, gqlQuery } from '@/shared/gql'

const RequestsDocument = graphql(`
  query Requests($first: Int, $after: String, $filter: RequestFilter) {
    viewer {
      id
      requests(first: $first, after: $after, filter: $filter) {
        edges {
          cursor
          node {
            id
            requestId
            at
            outcome
            status
            code
            agent {
              id
              name
            }
            export {
              id
              name
            }
            replayed
            credits
            durationMs
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

const RequestDocument = graphql(`
  query Request($id: ID!) {
    request(id: $id) {
      id
      requestId
      at
      outcome
      status
      code
      detail
      agent {
        id
        name
      }
      export {
        id
        name
      }
      keyHint
      clientAddress
      sessionId
      userId
      model
      streamed
      replayed
      credits
      durationMs
      waitedMs
      modelMs
      conversation {
        id
      }
    }
  }
`)

export const outcomes = ['ANSWERED', 'FAILED', 'REFUSED'] as const satisfies RequestOutcome[]

export type Filters = {
  search?: string
  outcome?: RequestOutcome
  code?: string
  agentId?: string
  exportId?: string
  userId?: string
  from?: string
  to?: string
}
export type RequestRow = RequestsQuery['viewer']['requests']['edges'][number]
export type Request = NonNullable<RequestQuery['request']>

const pageSize = 50

/** The requests, newest first, page by page. */
export const requestsQuery = (filters: Filters) =>
  gqlPages('requests', RequestsDocument, { first: pageSize, filter: toFilter(filters) }, (data) => data.viewer.requests)

/** The filters of the URL as the service takes them. */
export const toFilter = ({ search, outcome, code, agentId, exportId, userId, from, to }: Filters): RequestFilter => ({
  search: search || undefined,
  outcome,
  code: code || undefined,
  agentId,
  exportId,
  userId: userId || undefined,
  from: startOfDate(from),
  to: startOfDate(to, 1),
})

/** The newest request under a request ID. */
export const requestQuery = (id: string) => gqlQuery('request', RequestDocument, { id })
