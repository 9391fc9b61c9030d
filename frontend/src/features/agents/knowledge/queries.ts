import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type {
  ImportKnowledgeAnswersMutation,
  KnowledgeQuery,
  KnowledgeSourceQuery,
  SearchKnowledgeQuery,
} from '@/gql/graphql'
import { type ApiError, gql, gqlPages, gqlQuery, isPassing, type Whole } from '@/shared/gql'

const KnowledgeDocument = graphql(`
  query Knowledge($id: ID!, $first: Int, $after: String) {
    agent(id: $id) {
      id
      knowledge(first: $first, after: $after) {
        nodes {
          id
          kind
          name
          state
          reason
          size
          characters
          passages
          pages
          createdAt
          inDraft
          inVersions
          notes {
            code
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

const KnowledgeSourceDocument = graphql(`
  query KnowledgeSource($id: ID!) {
    node(id: $id) {
      __typename
      ... on KnowledgeSource {
        id
        kind
        name
        state
        reason
        size
        characters
        passages
        pages
        createdAt
        inDraft
        inVersions
        question
        encoding
        notes {
          code
          message
          sample
          encoding
        }
      }
    }
  }
`)

const KnowledgeTextDocument = graphql(`
  query KnowledgeText($id: ID!, $offset: Int!, $length: Int!) {
    node(id: $id) {
      __typename
      ... on KnowledgeSource {
        id
        characters
        text(offset: $offset, length: $length)
      }
    }
  }
`)

const SearchKnowledgeDocument = graphql(`
  query SearchKnowledge($agentId: ID!, $message: String!) {
    searchKnowledge(agentId: $agentId, message: $message) {
      source {
        id
        name
      }
      heading
      page
      text
      score
      words
    }
  }
`)

export const AddKnowledgeTextDocument = graphql(`
  mutation AddKnowledgeText($input: AddKnowledgeTextInput!) {
    addKnowledgeText(input: $input) {
      source {
        id
        name
      }
    }
  }
`)

export const AddKnowledgeAnswerDocument = graphql(`
  mutation AddKnowledgeAnswer($input: AddKnowledgeAnswerInput!) {
    addKnowledgeAnswer(input: $input) {
      source {
        id
        name
      }
    }
  }
`)

export const ImportKnowledgeAnswersDocument = graphql(`
  mutation ImportKnowledgeAnswers($input: ImportKnowledgeAnswersInput!) {
    importKnowledgeAnswers(input: $input) {
      header
      rows {
        row
        questions
        answer
        problem
      }
      added
      notes {
        code
        message
        sample
        encoding
      }
    }
  }
`)

export const AddKnowledgeFileDocument = graphql(`
  mutation AddKnowledgeFile($input: AddKnowledgeFileInput!) {
    addKnowledgeFile(input: $input) {
      source {
        id
      }
    }
  }
`)

export const RetryKnowledgeSourceDocument = graphql(`
  mutation RetryKnowledgeSource($input: RetryKnowledgeSourceInput!) {
    retryKnowledgeSource(input: $input) {
      source {
        id
      }
    }
  }
`)

export const ReplaceKnowledgeSourceDocument = graphql(`
  mutation ReplaceKnowledgeSource($input: ReplaceKnowledgeSourceInput!) {
    replaceKnowledgeSource(input: $input) {
      source {
        id
        name
      }
    }
  }
`)

export const RemoveKnowledgeSourceDocument = graphql(`
  mutation RemoveKnowledgeSource($input: RemoveKnowledgeSourceInput!) {
    removeKnowledgeSource(input: $input) {
      agent {
        id
      }
    }
  }
`)

export const DeleteKnowledgeSourceDocument = graphql(`
  mutation DeleteKnowledgeSource($input: DeleteKnowledgeSourceInput!) {
    deleteKnowledgeSource(input: $input) {
      deletedKnowledgeSourceId
    }
  }
`)

export const DeleteUnusedKnowledgeDocument = graphql(`
  mutation DeleteUnusedKnowledge($input: DeleteUnusedKnowledgeInput!) {
    deleteUnusedKnowledge(input: $input) {
      deleted
    }
  }
`)

type KnowledgePage = Whole<KnowledgeQuery>

type Watched<Data> = { state: { data: Data | undefined; error: unknown } }

/** A source as lists show it. */
export type Source = NonNullable<KnowledgeQuery['agent']>['knowledge']['nodes'][number]

/** A source as it is opened. */
export type OpenSource = Extract<KnowledgeSourceQuery['node'], { __typename: 'KnowledgeSource' }>

/** A row of a file of questions and answers. */
export type AnswerRow = ImportKnowledgeAnswersMutation['importKnowledgeAnswers']['rows'][number]

/** A passage that a search has found. */
export type Found = SearchKnowledgeQuery['searchKnowledge'][number]

/** The longest text that is taken, in Unicode code points, and so the longest part that comes at once. */
export const maxText = 100_000

const pageSize = 50
/** How much of a text is drawn at once. */
const partSize = 20_000

/** How often sources that are being read are looked at, while the page is shown. */
const readingMs = 2_000

/** Whether a source waits for its owner's choice of an encoding. */
export const isDoubtful = ({ state, notes }: Pick<Source, 'state' | 'notes'>) =>
  state === 'FAILED' && notes.some(({ code }) => code === 'ENCODING')

/** Whether a source is still to be read. */
export const isUnread = ({ state }: Pick<Source, 'state'>) => state === 'WAITING' || state === 'READING'

/** What an agent's draft and its versions know, newest first, page by page. */
export const knowledgeQuery = (id: string) => ({
  ...gqlPages('knowledge', KnowledgeDocument, { id, first: pageSize }, (data) => data.agent.knowledge),
  refetchInterval: ({ state: { data, error } }: Watched<{ pages: KnowledgePage[] }>) =>
    isPassing(error) || data?.pages.some(({ agent }) => agent.knowledge.nodes.some(isUnread)) ? readingMs : false,
})

export const sourceQuery = (id: string) => ({
  ...gqlQuery('knowledgeSource', KnowledgeSourceDocument, { id }),
  refetchInterval: ({ state: { data, error } }: Watched<Whole<KnowledgeSourceQuery>>) =>
    isPassing(error) || (data?.node.__typename === 'KnowledgeSource' && isUnread(data.node)) ? readingMs : false,
})

/** A part of what was read of a source. */
export async function readPart(id: string, offset: number, length: number, signal?: AbortSignal) {
  const { node } = await gql(KnowledgeTextDocument, { id, offset, length }, { signal })
  return node.__typename === 'KnowledgeSource' ? { ...node, offset } : undefined
}

type Part = Awaited<ReturnType<typeof readPart>>

/** What was read of a source, part by part. It never changes. */
export const textQuery = (id: string) =>
  infiniteQueryOptions<Part, ApiError, { pages: Part[] }, readonly string[], number>({
    queryKey: ['knowledgeText', id],
    queryFn: ({ pageParam, signal }) => readPart(id, pageParam, partSize, signal),
    initialPageParam: 0,
    getNextPageParam: (last) => (last && last.offset + partSize < last.characters ? last.offset + partSize : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** All of a text that was typed. */
export const wholeText = async (id: string) => (await readPart(id, 0, maxText))?.text ?? ''

/** The passages of the draft's knowledge that fit a message best. */
export const searchQuery = (agentId: string, message: string) =>
  gqlQuery('searchKnowledge', SearchKnowledgeDocument, { agentId, message })

/** Refetches everything that shows an agent's knowledge or the draft that it changed. */
export function refreshKnowledge(queryClient: QueryClient) {
  const own = ['knowledge', 'knowledgeUse', 'knowledgeSource', 'searchKnowledge', 'prompt']
  const keys = [...own, 'agent', 'agents', 'review']
  return Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
}
