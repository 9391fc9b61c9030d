import { gql, hasCode } from '@/shared/gql'
import { LatestTurnDocument, type SentTurn, sentTurnOf } from '../queries'

/** The pauses between polls: a stopped turn is settled within milliseconds, or seconds if the database is slow. */
const pausesMs = [0, 100, 200, 400, 800, 1_500, 3_000]
const answerMs = 5_000

export type Message = {
  agentId: string
  sessionId: string
  /** Known once the service has accepted the message. */
  turnId: string | undefined
  text: string
  /** The first ID of the results that were sent instead of a text. */
  resultId?: string
  /** Whether a turn is known to belong to another message. */
  isOther: (turnId: string) => boolean
}

/** The turn, settled or pending; `absent` if the message was never accepted, `unknown` if the service could not say. */
export type Found = { turn: SentTurn; conversationId: string } | 'absent' | 'unknown'

/**
 * Asks the service for the outcome of a stopped message, because stopping closed the connection. A message that was not accepted
 * yet may be accepted a moment later, so `absent` is trusted only after the last attempt.
 */
export async function afterStop(message: Message): Promise<Found> {
  let found: Found = 'unknown'
  for (const pause of pausesMs) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    try {
      found = await look(message)
    } catch (error) {
      found = 'unknown'
      if (hasCode(error, 'UNAUTHENTICATED', 'NOT_FOUND')) break
    }
    if (typeof found === 'object' && found.turn.state !== 'PENDING') break
  }
  return found
}

async function look({ agentId, sessionId, turnId, text, resultId, isOther }: Message): Promise<Found> {
  const { agent } = await gql(LatestTurnDocument, { agentId, sessionId }, { timeoutMs: answerMs })
  const conversation = agent.conversations.nodes[0]
  const latest = conversation?.turns.nodes[0]
  const turn = latest && sentTurnOf(latest)
  const isSame =
    latest?.message === text && (!resultId || latest.actionResults.some(({ callId }) => callId === resultId))
  const isIt = latest && turn && (turnId === undefined ? isSame && !isOther(turn.id) : turn.id === turnId)
  if (isIt) return { turn, conversationId: conversation.id }
  return turnId === undefined ? 'absent' : 'unknown' // an accepted message that is gone was deleted
}
