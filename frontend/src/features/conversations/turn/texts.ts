import { graphql } from '@/gql'
import type { TurnMessageFragment, TurnReplyFragment } from '@/gql/graphql'

/** The message of a turn, or the results of actions that a caller sent instead. */
export const TurnMessage = graphql(`
  fragment TurnMessage on Turn {
    message
    actionResults {
      callId
      name
      result
      error
    }
  }
`)

/** The reply of a turn as the panel shows it. */
export const TurnReply = graphql(`
  fragment TurnReply on Turn {
    reply
    actionCalls {
      id
      name
      arguments
      state
    }
    sources {
      n
      name
      heading
      page
      source {
        id
      }
    }
    output
    misfit
    finishReason
  }
`)

/** An action that a reply asks for. `arguments` is JSON text. */
export type Call = TurnReplyFragment['actionCalls'][number]

/** The result of an action: JSON text, or an error. */
export type Result = Omit<TurnMessageFragment['actionResults'][number], 'result' | 'error'> & {
  result?: string | null
  error?: string | null
}
