import { graphql } from '@/gql'
import { gqlQuery } from '@/shared/gql'

const QuickstartDocument = graphql(`
  query Quickstart($id: ID!) {
    node(id: $id) {
      __typename
      ... on ApiExport {
        id
        state
        requireUserId
        userDailyMessageLimit
        pinnedVersion {
          variables {
            name
            required
          }
          actions {
            name
          }
          replySchema
        }
        agent {
          id
          name
          publishedVersion {
            variables {
              name
              required
            }
            actions {
              name
            }
            replySchema
          }
        }
      }
    }
  }
`)

/** What the samples need to know of an export and its agent. */
export const quickstartQuery = (id: string) => gqlQuery('quickstart', QuickstartDocument, { id })
