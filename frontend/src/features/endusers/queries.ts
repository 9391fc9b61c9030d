import { graphql } from '@/gql'
import type { EndUsersQuery } from '@/gql/graphql'
import { gqlPages } from '@/shared/gql'

const EndUsersDocument = graphql(`
  query EndUsers($agentId: ID!, $first: Int, $after: String, $filter: EndUserFilter) {
    agent(id: $agentId) {
      id
      name
    }
    viewer {
      id
      endUsers(first: $first, after: $after, filter: $filter) {
        nodes {
          userId
          lastSeenAt
          messages
          credits
          conversations
        }
        pageInfo {
          hasNextPage
          endCursor
        }
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

export type EndUser = EndUsersQuery['viewer']['endUsers']['nodes'][number]
export type Agent = NonNullable<EndUsersQuery['agent']>

const pageSize = 50

/** The end users of an agent in the order of their ids, page by page, with their use of this agent. */
export const endUsersQuery = (agentId: string, search: string | undefined) =>
  gqlPages(
    'endUsers',
    EndUsersDocument,
    { agentId, first: pageSize, filter: { agentId, search: search || undefined } },
    (data) => data.viewer.endUsers,
  )
