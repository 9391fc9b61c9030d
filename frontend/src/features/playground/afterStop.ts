import { readFragment } from '@/gql'
import { gql, hasCode } from '@/shared/gql'
import { LatestTurnDocument, type SentTurn, SentTurnDocument } from './queries'

/** The pauses between the questions: a stopped turn is settled within milliseconds, or within seconds when the database is slow. */
const pausesMs = [0, 100, 200, 400, 800, 1_500, 3_000]
const answerMs = 5_000

export type Message = {
  agentId: string
  sessionId: string
  /** Known once the service has let the message in. */
  turnId: string | undefined
  text: string
  /** Whether a turn is known to be another message's. */
  isOther: (turnId: string) => boolean
}

/** The turn, settled or still under way; `absent` when the message was never let in, `unknown` when nothing could be learned. */
export type Found = { turn: SentTurn; conversationId: string } | 'absent' | 'unknown'

/**
 * Asks the service what became of a message whose reply was stopped: the stop closed the connection that would have told it.
 * A message that had not been let in may be let in a moment later, so its absence is believed at the end only.
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

async function look({ agentId, sessionId, turnId, text, isOther }: Message): Promise<Found> {
  const { agent } = await gql(LatestTurnDocument, { agentId, sessionId }, { timeoutMs: answerMs })
  const conversation = agent.conversations.nodes[0]
  const latest = conversation?.turns.nodes[0]
  const turn = readFragment(SentTurnDocument, latest)
  const isIt =
    latest && turn && (turnId === undefined ? latest.message === text && !isOther(turn.id) : turn.id === turnId)
  if (isIt) return { turn, conversationId: conversation.id }
  return turnId === undefined ? 'absent' : 'unknown' // what had been let in and is gone was deleted
}
