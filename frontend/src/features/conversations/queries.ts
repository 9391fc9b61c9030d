import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { ConversationFilter, ConversationsQuery, TranscriptQuery } from '@/gql/graphql'
import { type ApiError, gql, gqlPages, gqlQuery, isPassing, type Whole, withFragment } from '@/shared/gql'
import { TurnRatings } from './turn/ratings'
import { TurnMessage, TurnReply } from './turn/texts'

const ConversationsDocument = graphql(`
  query Conversations($first: Int, $after: String, $filter: ConversationFilter) {
    viewer {
      id
      conversations(first: $first, after: $after, filter: $filter) {
        searchedTo
        edges {
          node {
            id
          }
          hits {
            number
            inReply
            excerpt
            ranges {
              start
              length
            }
          }
        }
        nodes {
          id
          sessionId
          source
          userId
          preview
          turnCount
          failedTurns
          credits
          lastTurnAt
          agent {
            id
            name
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)

const TranscriptDocument = graphql(`
  query Transcript($id: ID!, $last: Int!, $before: String) {
    conversation(id: $id) {
      id
      sessionId
      source
      userId
      turnCount
      failedTurns
      credits
      createdAt
      lastTurnAt
      continuesFrom {
        id
        number
        conversationId
      }
      agent {
        id
        name
      }
      turns(last: $last, before: $before) {
        nodes {
          id
          conversationId
          number
          ...TurnMessage
          ...TurnReply
          ...TurnRatings
          state
          errorCode
          requestId
          version
          model
          fallback
          background
          userId
          variables {
            name
            value
          }
          source
          credits
          createdAt
          durationMs
          request {
            id
          }
          export {
            id
            name
          }
        }
        pageInfo {
          hasPreviousPage
          startCursor
        }
      }
    }
  }
`)

const ConversationHitsDocument = graphql(`
  query ConversationHits($after: String, $filter: ConversationFilter) {
    viewer {
      id
      conversations(first: 1, after: $after, filter: $filter) {
        edges {
          node {
            id
          }
          hits {
            number
            inReply
            excerpt
            ranges {
              start
              length
            }
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)

const MessagesTodayDocument = graphql(`
  query MessagesToday($userId: String!) {
    viewer {
      id
      endUser(userId: $userId) {
        userId
        dailyMessageLimit
        messagesToday
        nearestExportLimit {
          dailyMessageLimit
          messagesToday
        }
      }
    }
  }
`)

export const DeleteConversationDocument = graphql(`
  mutation DeleteConversation($input: DeleteConversationInput!) {
    deleteConversation(input: $input) {
      deletedConversationId
    }
  }
`)

export const DeleteConversationsDocument = graphql(`
  mutation DeleteConversations($input: DeleteConversationsInput!) {
    deleteConversations(input: $input) {
      deletedCount
    }
  }
`)

type ConversationPages = NonNullable<ConversationsQuery['viewer']>['conversations']
export type ConversationRow = ConversationPages['nodes'][number]
/** Where a search found its text in a conversation. */
export type Hit = ConversationPages['edges'][number]['hits'][number]
/** The part of a conversation’s address that leads to a hit. */
export const addressOf = ({ number, inReply }: Hit) => ({
  turn: number,
  in: inReply ? ('reply' as const) : undefined,
})
export type Conversation = NonNullable<TranscriptQuery['conversation']>
export type Turn = ReturnType<typeof turnOf>

const pageSize = 50
const turnsPerPage = 20
/** On the way to an earlier turn, there are as few pages as may be. */
const turnsOnTheWay = 100
/** How often a transcript is polled while its latest message is being answered. */
const pendingMs = 3_000
const recoverMs = 5_000

/** The conversations of all agents, most recent turn first, page by page. */
export const allConversationsQuery = (filter: ConversationFilter) =>
  gqlPages('conversations', ConversationsDocument, { first: pageSize, filter }, (data) => data.viewer.conversations)

type Listed = { hasNextPage: boolean; endCursor?: string | null }
/** A page of a list, and how far a search in texts has looked. */
export type ListPage = {
  nodes: ConversationRow[]
  edges: { node: { id: string }; hits: Hit[] }[]
  searchedTo?: string | null
  pageInfo: Listed
}

/** A conversation with its latest turns. Each further page holds earlier turns; many, if an earlier one is looked for. */
export const transcriptQuery = (id: string, earlier = false) =>
  infiniteQueryOptions<
    Whole<TranscriptQuery>,
    ApiError,
    { pages: Whole<TranscriptQuery>[]; pageParams: (string | null)[] },
    readonly string[],
    string | null
  >({
    queryKey: earlier ? ['conversation', id, 'earlier'] : ['conversation', id],
    queryFn: ({ pageParam, signal }) =>
      gql(TranscriptDocument, { id, last: earlier ? turnsOnTheWay : turnsPerPage, before: pageParam }, { signal }),
    initialPageParam: null,
    getNextPageParam: ({ conversation: { turns } }) =>
      turns.pageInfo.hasPreviousPage ? turns.pageInfo.startCursor : undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (state.status === 'error') return isPassing(state.error) ? recoverMs : false
      const pending = state.data?.pages[0]?.conversation.turns.nodes.some((turn) => turn.state === 'PENDING')
      return pending ? pendingMs : false
    },
  })

/** Where a text is in a conversation: at most the first three messages and replies that have it. Without a text, nothing is asked. */
export const hitsQuery = ({ id, agent, source, sessionId }: Conversation, text?: string) =>
  queryOptions<Hit[], ApiError>({
    queryKey: ['conversation', id, 'hits', text],
    queryFn: async ({ signal }) => {
      const filter = { agentId: agent.id, source, sessionId, text }
      for (let after: string | null | undefined; ; ) {
        const { viewer } = await gql(ConversationHitsDocument, { after, filter }, { signal })
        const { edges, pageInfo } = viewer.conversations
        const found = edges.find(({ node }) => node.id === id)
        if (found || !pageInfo.hasNextPage) return found?.hits ?? []
        after = pageInfo.endCursor
      }
    },
    enabled: Boolean(text),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A user's messages of today, and the limit that is nearest. */
export const messagesTodayQuery = (userId: string) => gqlQuery('messagesToday', MessagesTodayDocument, { userId })

/** The loaded turns, oldest first. */
export function turnsOf(pages: Whole<TranscriptQuery>[]): Turn[] {
  return pages.flatMap((page) => page.conversation.turns.nodes.map(turnOf).reverse()).reverse()
}

const turnOf = (node: Conversation['turns']['nodes'][number]) =>
  withFragment(TurnRatings, withFragment(TurnReply, withFragment(TurnMessage, node)))
