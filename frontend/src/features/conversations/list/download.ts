import { graphql, readFragment } from '@/gql'
import type { ConversationFilter, ConversationsToSaveQuery, SavedTurnsFragment } from '@/gql/graphql'
import { type Control, CsvFile, readPages, retrying, TextFile } from '@/shared/download'
import { gql } from '@/shared/gql'
import { i18n } from '@/shared/i18n'

const pageSize = 10
const turnsPerPage = 100

const SavedTurnsDocument = graphql(`
  fragment SavedTurns on TurnConnection {
    nodes {
      id
      number
      createdAt
      state
      errorCode
      message
      actionResults {
        callId
        name
        result
        error
      }
      reply
      actionCalls {
        id
        name
        arguments
        state
      }
      output
      misfit
      finishReason
      requestId
      version
      userId
      variables {
        name
        value
      }
      model
      fallback
      credits
      ratings {
        kind
        value
        note
        ratedBy {
          name
        }
        ratedAt
      }
      inputTokens
      outputTokens
      waitedMs
      firstTextMs
      durationMs
      export {
        id
        name
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
`)

const ConversationsToSaveDocument = graphql(`
  query ConversationsToSave($first: Int, $after: String, $filter: ConversationFilter, $turns: Int) {
    viewer {
      id
      createdAt
      conversations(first: $first, after: $after, filter: $filter) {
        searchedTo
        nodes {
          id
          sessionId
          source
          lastTurnAt
          agent {
            id
            name
          }
          turns(first: $turns) {
            ...SavedTurns
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

const FurtherTurnsDocument = graphql(`
  query FurtherTurns($id: ID!, $turns: Int, $after: String) {
    conversation(id: $id) {
      id
      turns(first: $turns, after: $after) {
        ...SavedTurns
      }
    }
  }
`)

type Conversation = NonNullable<ConversationsToSaveQuery['viewer']>['conversations']['nodes'][number]
type Turn = SavedTurnsFragment['nodes'][number]

/** What a file says of a message, in the order of its columns. */
function recordOf({ id, sessionId, source, agent }: Conversation, turn: Turn) {
  const { export: caller, variables, ...rest } = turn
  return {
    conversationId: id,
    sessionId,
    agentId: agent.id,
    agent: agent.name,
    exportId: caller?.id ?? null,
    export: caller?.name ?? null,
    source,
    ...rest,
    variables: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
  }
}

type SavedMessage = ReturnType<typeof recordOf>

const columns = [
  'conversationId',
  'sessionId',
  'agentId',
  'agent',
  'exportId',
  'export',
  'source',
  'id',
  'number',
  'createdAt',
  'state',
  'errorCode',
  'message',
  'actionResults',
  'reply',
  'actionCalls',
  'output',
  'misfit',
  'finishReason',
  'requestId',
  'version',
  'userId',
  'variables',
  'model',
  'fallback',
  'credits',
  'inputTokens',
  'outputTokens',
  'waitedMs',
  'firstTextMs',
  'durationMs',
] as const satisfies (keyof SavedMessage)[]

/** One message per line as JSON, with the names that the API uses. */
export function conversationsJsonl(filter: ConversationFilter, control: Control): Promise<Blob> {
  const file = new TextFile('application/jsonl')
  return eachMessage(filter, control, (message) => file.add(`${JSON.stringify(message)}\n`)).then(() => file.blob())
}

const ratingColumns = ['callerRating', 'callerNote', 'teamRating', 'teamNote'] as const

/** The values of `ratingColumns`. */
function ratingsOf({ ratings }: SavedMessage) {
  return (['CALLER', 'TEAM'] as const).flatMap((kind) => {
    const rating = ratings.find((one) => one.kind === kind)
    return [rating?.value, rating?.note]
  })
}

/** One message per row, with the names that the API uses; variables and actions are JSON, and each rating has two columns. */
export function conversationsCsv(filter: ConversationFilter, control: Control): Promise<Blob> {
  const file = new CsvFile([...columns, ...ratingColumns.map((name) => i18n.t(`conversations:csv.${name}`))])
  const add = (message: SavedMessage) =>
    file.add([
      ...columns.map((name) => {
        const value = message[name]
        return value === null || typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)
      }),
      ...ratingsOf(message),
    ])
  return eachMessage(filter, control, add).then(() => file.blob())
}

/** Reads the messages of the filtered conversations, one after the other. */
export async function eachMessage(
  filter: ConversationFilter,
  control: Control,
  add: (message: SavedMessage) => void,
): Promise<void> {
  const { signal } = control
  await readPages<Conversation>({
    ...control,
    ask: async (after) => {
      const variables = { first: pageSize, after, filter, turns: turnsPerPage }
      const { viewer } = await gql(ConversationsToSaveDocument, variables, { signal })
      const { conversations, createdAt } = viewer
      return { ...conversations, since: filter.from && filter.from > createdAt ? filter.from : createdAt }
    },
    timeOf: (conversation) => conversation.lastTurnAt,
    take: async (conversations) => {
      for (const conversation of conversations) {
        let turns = readFragment(SavedTurnsDocument, conversation.turns)
        for (;;) {
          for (const turn of turns.nodes) add(recordOf(conversation, turn))
          if (!turns.pageInfo.hasNextPage) break
          turns = await furtherTurns(conversation.id, turns.pageInfo.endCursor, signal)
        }
      }
    },
  })
}

async function furtherTurns(id: string, after: string | null | undefined, signal: AbortSignal) {
  const variables = { id, turns: turnsPerPage, after }
  const { conversation } = await retrying(() => gql(FurtherTurnsDocument, variables, { signal }), signal)
  return readFragment(SavedTurnsDocument, conversation.turns)
}
