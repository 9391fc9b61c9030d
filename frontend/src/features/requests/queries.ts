import { graphql } from '@/gql'
import type { RequestFilter, RequestOutcome, RequestQuery, RequestsQuery } from '@/gql/graphql'
import { gqlPages, gqlQuery } from '@/shared/gql'
import type { RangeSearch } from '@/shared/ui'

const RequestsDocument = graphql(`
  query Requests($first: Int, $after: String, $filter: RequestFilter) {
    viewer {
      id
      requests(first: $first, after: $after, filter: $filter) {
        edges {
          cursor
          node {
            id
            at
            outcome
            status
            code
            detail
            preview
            agent {
              id
              name
            }
            export {
              id
              name
            }
            sessionId
            userId
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
      clientAddress
      sessionId
      userId
      model
      streamed
      background
      replayed
      credits
      durationMs
      waitedMs
      modelMs
      conversation {
        id
        sessionId
      }
      turn {
        id
        number
        ...TurnMessage
        ...TurnReply
        version
        providerError {
          status
          code
          message
        }
      }
    }
  }
`)

export const outcomes = ['ANSWERED', 'FAILED', 'REFUSED'] as const satisfies RequestOutcome[]

export type Filters = RangeSearch & {
  search?: string
  outcome?: RequestOutcome
  code?: string
  agentId?: string
  exportId?: string
  userId?: string
}
export type RequestRow = NonNullable<RequestsQuery['viewer']>['requests']['edges'][number]
export type Request = NonNullable<RequestQuery['request']>

const pageSize = 50

/** The requests, newest first, page by page. */
export const requestsQuery = (filter: RequestFilter) =>
  gqlPages('requests', RequestsDocument, { first: pageSize, filter }, (data) => data.viewer.requests)

/** The filters of the address as the service takes them. */
export const toFilter = (
  { search, outcome, code, agentId, exportId, userId }: Filters,
  { from, to }: { from?: string; to?: string },
): RequestFilter => ({
  search: search || undefined,
  outcome,
  code: code || undefined,
  agentId,
  exportId,
  userId: userId || undefined,
  from,
  to,
})

/** One request, by its own ID or by the newest under a request ID. */
export const requestQuery = (id: string) => gqlQuery('request', RequestDocument, { id })
