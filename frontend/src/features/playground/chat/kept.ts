import { queryOptions } from '@tanstack/react-query'
import { TurnMessage } from '@/features/conversations'
import { readFragment } from '@/gql'
import { gql } from '@/shared/gql'
import type { Entry } from '../messages/entries'
import { KeptDocument, sentTurnOf } from '../queries'

/** A conversation as the service keeps it. Without an ID if it has none: the message was never accepted, or it was deleted. */
export type Kept = { sessionId: string; conversationId?: string; continuesFrom?: string; entries: Entry[] }

const shownTurns = 50
/** How often to ask while a message that the page was left at is being settled. */
const pendingMs = 1_000

export const keptQuery = (agentId: string, sessionId: string) =>
  queryOptions({
    queryKey: ['playground', agentId, sessionId],
    queryFn: async ({ signal }): Promise<Kept> => {
      const { agent } = await gql(KeptDocument, { agentId, sessionId, last: shownTurns }, { signal })
      const conversation = agent.conversations.nodes[0]
      const entries = (conversation?.turns.nodes ?? []).map((node): Entry => {
        const turn = sentTurnOf(node)
        const { variables, userId } = node
        const { message, actionResults } = readFragment(TurnMessage, node)
        const results = actionResults.length > 0 ? actionResults : undefined
        const version = turn.version ?? undefined
        const given = { variables: [...variables], userId: userId ?? undefined }
        return { id: turn.id, message, results, version, ...given, idempotencyKey: '', outcome: { kind: 'turn', turn } }
      })
      return { sessionId, conversationId: conversation?.id, continuesFrom: conversation?.continuesFrom?.id, entries }
    },
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.entries.some(isPending) ? pendingMs : false),
  })

const isPending = ({ outcome }: Entry) => outcome.kind === 'turn' && outcome.turn.state === 'PENDING'
