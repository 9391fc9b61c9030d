import { queryOptions } from '@tanstack/react-query'
import { TurnRatings, TurnReply } from '@/features/conversations'
import { type FragmentType, graphql, readFragment } from '@/gql'
import { gql, withFragment } from '@/shared/gql'

/** A message and its reply, from the end of the stream or a later query. */
const SentTurnFields = graphql(`
  fragment SentTurn on Turn {
    id
    ...TurnReply
    ...TurnRatings
    state
    version
    errorCode
    requestId
    model
    fallback
    credits
    inputTokens
    outputTokens
    firstTextMs
    durationMs
  }
`)

const PastTestsDocument = graphql(`
  query PastTests($agentId: ID!, $first: Int!) {
    agent(id: $agentId) {
      id
      conversations(first: $first, filter: { source: PLAYGROUND }) {
        nodes {
          id
          sessionId
          preview
          lastTurnAt
        }
      }
    }
  }
`)

const shownTests = 10

export const pastTestsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agent', { id: agentId }, 'past tests'],
    queryFn: ({ signal }) => gql(PastTestsDocument, { agentId, first: shownTests }, { signal }),
    staleTime: 0,
  })

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

/** The stored state of a conversation's latest message. */
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
              actionResults {
                callId
              }
              ...SentTurn
            }
          }
        }
      }
    }
  }
`)

/** A conversation with its latest messages, for continuing it. */
export const KeptDocument = graphql(`
  query PlaygroundKept($agentId: ID!, $sessionId: String!, $last: Int!) {
    agent(id: $agentId) {
      id
      conversations(first: 1, filter: { sessionId: $sessionId, source: PLAYGROUND }) {
        nodes {
          id
          continuesFrom {
            id
          }
          turns(last: $last) {
            nodes {
              ...TurnMessage
              userId
              variables {
                name
                value
              }
              ...SentTurn
            }
          }
        }
      }
    }
  }
`)

export type SentTurn = ReturnType<typeof sentTurnOf>

/** A message and its reply with the fields of their fragments. */
export const sentTurnOf = (node: FragmentType<typeof SentTurnFields>) =>
  withFragment(TurnRatings, withFragment(TurnReply, readFragment(SentTurnFields, node)))
