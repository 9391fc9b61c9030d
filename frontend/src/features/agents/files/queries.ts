import { graphql } from '@/gql'
import type { ImportAgentMutation } from '@/gql/graphql'

export const ImportAgentDocument = graphql(`
  mutation ImportAgent($input: ImportAgentInput!) {
    importAgent(input: $input) {
      agent {
        id
        name
      }
      notes {
        line
        path
        message
      }
      moreNotes
    }
  }
`)

export type Imported = ImportAgentMutation['importAgent']

export const AgentFileHeadDocument = graphql(`
  query AgentFileHead($id: ID!) {
    agent(id: $id) {
      id
      fileHead
    }
  }
`)

export const AgentFileSourcesDocument = graphql(`
  query AgentFileSources($id: ID!, $first: Int!, $after: String, $length: Int!) {
    agent(id: $id) {
      id
      knowledge(first: $first, after: $after) {
        nodes {
          id
          kind
          name
          state
          pages
          characters
          inDraft
          question
          text(offset: 0, length: $length)
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)

/** The largest file that the service takes, in bytes. */
export const maxAgentFile = 20 * 1_024 ** 2
