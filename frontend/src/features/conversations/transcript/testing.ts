import type { TurnSource, TurnState } from '@/gql/graphql'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'

type Turn = {
  version?: number
  source?: TurnSource
  state?: TurnState
  message?: string
  reply?: string | null
  output?: string
  misfit?: string
  actionCalls?: Record<string, string>[]
  actionResults?: Record<string, string>[]
  sources?: Record<string, unknown>[]
  model?: string
  fallback?: boolean
  background?: boolean
  durationMs?: number | null
  errorCode?: string
  createdAt?: string
  finishReason?: string
  userId?: string
  variables?: { name: string; value: string }[]
  ratings?: Rating[]
}

type Rating = { kind: 'CALLER' | 'TEAM'; value: string; note: string; ratedBy?: { kind: string; name: string } | null }

/** A service with one conversation of these turns; it can be deleted. */
export function service(turns: Turn[], userId: string | null = null) {
  session.signedIn('good', inMinutes(15), Date.now())
  const deleted: unknown[] = []
  const rated: unknown[] = []
  const pageInfo = { hasNextPage: false, hasPreviousPage: false }
  const agent = { id: 'a1', name: 'Shop help', conversations: { edges: [], nodes: [], pageInfo } }
  answer({
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
      conversations: { edges: [], nodes: [], pageInfo },
      endUser: {
        userId,
        dailyMessageLimit: null,
        messagesToday: 9,
        nearestExportLimit: { dailyMessageLimit: 20, messagesToday: 7 },
      },
    },
    agents: { nodes: [agent], edges: [], pageInfo, totalCount: 1 },
    agent,
    conversation: {
      id: 'c1',
      sessionId: 'customer-7',
      source: 'API',
      userId,
      turnCount: turns.length,
      failedTurns: turns.filter(({ state }) => state === 'FAILED').length,
      credits: 5 * turns.length,
      createdAt: inMinutes(-90),
      lastTurnAt: inMinutes(-5),
      agent,
      turns: ({ last, before }: { last: number; before: string | null }) => {
        const end = before ? Number(before) - 1 : turns.length
        const start = Math.max(0, end - last)
        const nodes = turns.slice(start, end).map((turn, i) => ({
          id: `t${start + i + 1}`,
          conversationId: 'c1',
          number: start + i + 1,
          message: `message ${start + i + 1}`,
          state: 'ANSWERED',
          requestId: `req-${start + i + 1}`,
          model: 'openai/gpt',
          fallback: false,
          background: false,
          actionCalls: [],
          sources: [],
          actionResults: [],
          credits: 5,
          inputTokens: 1200,
          outputTokens: 34,
          source: 'API',
          userId,
          variables: [],
          request: { id: `q${start + i + 1}` },
          export: { id: 'e1', name: 'Web shop' },
          createdAt: inMinutes(-5),
          durationMs: 1840,
          ...turn,
        }))
        return { edges: [], nodes, pageInfo: { ...pageInfo, hasPreviousPage: start > 0, startCursor: `${start + 1}` } }
      },
    },
    rateTurn: ({ input }: { input: { turnId: string; value: string | null; note?: string } }) => {
      rated.push({ ...input })
      if (input.note === 'refused') throw refusal('UNAVAILABLE', 'Try again.')
      const turn = turns[Number(input.turnId.slice(1)) - 1] ?? {}
      const { value, note = '' } = input
      const others = (turn.ratings ?? []).filter(({ kind }) => kind === 'CALLER')
      const mine = { kind: 'TEAM' as const, note, ratedBy: { kind: 'USER', name: 'Ada' } }
      turn.ratings = value ? [...others, { ...mine, value }] : others
      return { turn: { id: input.turnId, ratings: turn.ratings } }
    },
    deleteConversation: ({ input }: { input: { id: string } }) => {
      deleted.push(input)
      if (deleted.length > 1) throw refusal('NOT_FOUND', 'There is no such conversation.')
      return { deletedConversationId: input.id }
    },
    deleteConversations: ({ input }: { input: { sessionId: string; agentId?: string } }) => {
      deleted.push({ ...input })
      return { deletedCount: 3 }
    },
  })
  return { deleted, rated, turns }
}
