import { graphql } from '@/gql'
import { gqlQuery } from '@/shared/gql'

const TurnPromptDocument = graphql(`
  query TurnPrompt($id: ID!) {
    node(id: $id) {
      __typename
      ... on Turn {
        id
        version
        source
        inputTokens
        outputTokens
        message
        actionResults {
          callId
          name
          result
          error
        }
        passages {
          n
          name
          heading
          page
          text
          source {
            id
          }
        }
        prompt {
          instructions
          earlierTurns
          actions
          chain {
            id
            message
            reply
            actionCalls {
              id
              name
              arguments
              state
            }
            actionResults {
              callId
              name
              result
              error
            }
          }
          model
        }
      }
    }
  }
`)

/** What the model was given for a turn. It never changes; a draft's is gone once the draft changes, and passages with their sources. */
export const promptQuery = (id: string) => ({
  ...gqlQuery('prompt', TurnPromptDocument, { id }),
  staleTime: Number.POSITIVE_INFINITY,
})

const ContinuedTurnDocument = graphql(`
  query ContinuedTurn($id: ID!) {
    node(id: $id) {
      __typename
      ... on Turn {
        id
        number
        conversation {
          id
          sessionId
        }
      }
    }
  }
`)

/** The turn that a test conversation continues from. */
export const continuedQuery = (id: string) => gqlQuery('turn', ContinuedTurnDocument, { id })
