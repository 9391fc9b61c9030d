import { graphql } from '@/gql'
import type { SentTurnFragment } from '@/gql/graphql'

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

export type SentTurn = SentTurnFragment
