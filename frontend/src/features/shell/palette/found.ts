import { graphql } from '@/gql'
import { gqlQuery } from '@/shared/gql'

const FoundDocument = graphql(`
  query Found($people: EndUserFilter, $sessions: ConversationFilter, $requests: RequestFilter) {
    viewer {
      id
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

/** The people, sessions and requests that have this in their IDs. */
export const foundQuery = (search: string) =>
  gqlQuery('found', FoundDocument, { people: { search }, sessions: { search }, requests: { search } })
