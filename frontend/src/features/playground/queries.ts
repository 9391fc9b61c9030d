import { graphql } from '@/gql'
import type { PlaygroundSendMutation } from '@/gql/graphql'
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

export const SendDocument = graphql(`
  mutation PlaygroundSend($input: SendTestMessageInput!) {
    sendTestMessage(input: $input) {
      creditsRemaining
      conversation {
        id
        sessionId
      }
      turn {
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

export type Sent = PlaygroundSendMutation['sendTestMessage']
export type SentTurn = Sent['turn']

/** The agent as the playground needs it; always asked for anew, because its other pages change it. */
export const agentQuery = (id: string) => ({
  ...gqlQuery('playgroundAgent', PlaygroundAgentDocument, { id }),
  staleTime: 0,
})
