import { graphql } from '@/gql'
import { gqlQuery } from '@/shared/gql'

const FoundDocument = graphql(`
  query Found($userId: String!, $people: EndUserFilter, $sessions: ConversationFilter, $requests: RequestFilter) {
    viewer {
      id
      person: endUser(userId: $userId) {
        userId
      }
      people: endUsers(first: 5, filter: $people) {
        nodes {
          userId
        }
      }
      sessions: conversations(first: 5, filter: $sessions) {
        nodes {
          id
          sessionId
          agent {
            id
            name
          }
        }
      }
      requests(first: 1, filter: $requests) {
        nodes {
          id
        }
      }
    }
  }
`)

/**
 * The end users and sessions with this in their IDs, and the requests with exactly this ID. The end
 * user with exactly this ID is read by itself: more may contain it than are listed.
 */
export const foundQuery = (search: string) =>
  gqlQuery('found', FoundDocument, {
    userId: search,
    people: { search },
    sessions: { search },
    requests: { search },
  })
