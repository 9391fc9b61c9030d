import { graphql } from '@/gql'
import type { RequestFilter, RequestOutcome, RequestPageFragment, RequestQuery, RequestsQuery } from '@/gql/graphql'
import { gqlPages, gqlQuery, type Whole, withFragment } from '@/shared/gql'
import type { RangeSearch } from '@/shared/ui'

export const RequestPage = graphql(`
  fragment RequestPage on RequestConnection {
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
`)

const RequestsDocument = graphql(`
  query Requests($first: Int, $after: String, $filter: RequestFilter, $ids: RequestFilter, $searching: Boolean!) {
    viewer {
      id
      requests(first: $first, after: $after, filter: $filter) {
        ...RequestPage
      }
      byId: requests(first: $first, after: $after, filter: $ids) @include(if: $searching) {
        ...RequestPage
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
  /** Text, a request ID or a session ID. */
  search?: string
  outcome?: RequestOutcome
  code?: string
  agentId?: string
  exportId?: string
  userId?: string
  /** The part of the period that is chosen on the strip. */
  since?: string
  until?: string
}
export type RequestRow = RequestPageFragment['edges'][number]
export type Request = NonNullable<RequestQuery['request']>

/** What a list is asked for. With a search, `ids` has it as an ID, which wins over the same as text. */
export type Asked = { filter: RequestFilter; ids?: RequestFilter }

const pageSize = 50

/** The requests, newest first, page by page. */
export const requestsQuery = ({ filter, ids }: Asked) =>
  gqlPages('requests', RequestsDocument, { first: pageSize, filter, ids, searching: ids !== undefined }, pageOf)

/** The requests with the ID that was searched for, or those with the text if there are none. */
export function pageOf({ viewer: { requests, byId } }: Whole<RequestsQuery>) {
  const found = byId && withFragment(RequestPage, byId)
  return found && found.edges.length > 0 ? found : withFragment(RequestPage, requests)
}

/** The filters of the address as the service takes them. */
export function toAsked(
  { search, outcome, code, agentId, exportId, userId }: Filters,
  { from, to }: { from?: string; to?: string },
): Asked {
  const filter = { outcome, code: code || undefined, agentId, exportId, userId: userId || undefined, from, to }
  return search ? { filter: { ...filter, text: search }, ids: { ...filter, search } } : { filter }
}

/** One request, by its own ID or by the newest under a request ID. */
export const requestQuery = (id: string) => gqlQuery('request', RequestDocument, { id })
