import { graphql } from '@/gql'
import type { SentTurnFragment } from '@/gql/graphql'
import { gqlQuery } from '@/shared/gql'

const PlaygroundAgentDocument = graphql(`
  query PlaygroundAgent($id: ID!) {
    agent(id: $id) {
      id
      name
      state
      instructions
      updatedAt
      model {
        name
        label
        creditsPerMessage
        available
      }
    }
  }
`)

/** A message and its reply, as the service tells them when the reply has ended and when it is asked later. */
export const SentTurnDocument = graphql(`
  fragment SentTurn on Turn {
    id
    reply
    state
    errorCode
    finishReason
    requestId
    model
    credits
    durationMs
  }
`)

export const FollowDocument = graphql(`
  subscription PlaygroundFollow($input: SendTestMessageInput!) {
    testMessage(input: $input) {
      __typename
      ... on TestMessageStarted {
        turnId
      }
      ... on TestMessageDelta {
        text
      }
      ... on TestMessageEnded {
        conversation {
          id
        }
        turn {
          ...SentTurn
        }
      }
      ... on TestMessageFailed {
        conversation {
          id
        }
        turn {
          ...SentTurn
        }
      }
    }
  }
`)

/** What the service has stored of a conversation's latest message. */
export const LatestTurnDocument = graphql(`
  query PlaygroundLatestTurn($agentId: ID!, $sessionId: String!) {
    agent(id: $agentId) {
      id
      conversations(first: 1, filter: { sessionId: $sessionId, source: PLAYGROUND }) {
        nodes {
          id
          turns(last: 1) {
            nodes {
              message
              ...SentTurn
            }
          }
        }
      }
    }
  }
`)

export const SaveInstructionsDocument = graphql(`
  mutation SaveInstructions($input: UpdateAgentInput!) {
    updateAgent(input: $input) {
      agent {
        id
        state
        instructions
        updatedAt
      }
    }
  }
`)

export type SentTurn = SentTurnFragment

/** The agent as the playground needs it; always asked for anew, because its other pages change it. */
export const agentQuery = (id: string) => ({
  ...gqlQuery('playgroundAgent', PlaygroundAgentDocument, { id }),
  staleTime: 0,
})
