import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { ReviewQuery, VersionContentQuery, VersionsQuery } from '@/gql/graphql'
import { ApiError, gql, gqlPages, gqlQuery } from '@/shared/gql'
import { i18n } from '@/shared/i18n'

const ReviewDocument = graphql(`
  query Review($id: ID!) {
    agent(id: $id) {
      id
      name
      state
      missing
      updatedAt
      hasUnpublishedChanges
      instructions
      temperature
      maxOutputTokens
      contextTurns
      replySchema
      knowledge(first: 100) {
        nodes {
          id
          name
          state
          inDraft
          inVersions
        }
      }
      actions {
        name
        description
        parameters
      }
      variables {
        name
        description
        required
        defaultValue
      }
      model {
        name
        label
        sandbox
        creditsPerMessage
        creditsWithKnowledge
      }
      fallbackModel {
        name
        label
        creditsPerMessage
        creditsWithKnowledge
      }
      publishedVersion {
        number
        instructions
        modelName
        temperature
        maxOutputTokens
        contextTurns
        replySchema
        knowledge {
          id
          name
          inDraft
        }
        actions {
          name
          description
          parameters
        }
        variables {
          name
          description
          required
          defaultValue
        }
        model {
          name
          label
          sandbox
          creditsPerMessage
          creditsWithKnowledge
        }
        fallbackModelName
        fallbackModel {
          name
          label
        }
      }
      exports {
        id
        name
        version
      }
    }
  }
`)

const VersionsDocument = graphql(`
  query Versions($id: ID!, $first: Int, $after: String) {
    agent(id: $id) {
      id
      versions(first: $first, after: $after) {
        edges {
          cursor
          node {
            number
            createdAt
            note
            model {
              name
              label
              creditsPerMessage
              creditsWithKnowledge
              available
            }
            publishedBy {
              name
            }
            pinnedBy {
              id
              name
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

const VersionContentDocument = graphql(`
  query VersionContent($id: ID!, $number: Int!) {
    agent(id: $id) {
      id
      version(number: $number) {
        number
        instructions
        modelName
        temperature
        maxOutputTokens
        contextTurns
        replySchema
        knowledge {
          id
          name
          inDraft
        }
        actions {
          name
          description
          parameters
        }
        variables {
          name
          description
          required
          defaultValue
        }
        model {
          name
          label
        }
        fallbackModelName
        fallbackModel {
          name
          label
        }
      }
    }
  }
`)

const VersionContentsDocument = graphql(`
  query VersionContents($id: ID!, $first: Int, $after: String) {
    agent(id: $id) {
      id
      versions(first: $first, after: $after) {
        nodes {
          number
          instructions
          modelName
          temperature
          maxOutputTokens
          contextTurns
          replySchema
          knowledge {
            id
            name
            inDraft
          }
          actions {
            name
            description
            parameters
          }
          variables {
            name
            description
            required
            defaultValue
          }
          model {
            name
            label
          }
          fallbackModelName
          fallbackModel {
            name
            label
          }
        }
      }
    }
  }
`)

const VersionGivenDocument = graphql(`
  query VersionGiven($id: ID!, $after: String) {
    agent(id: $id) {
      id
      versions(first: 2, after: $after) {
        nodes {
          number
          knowledge {
            id
          }
          variables {
            name
            description
            required
            defaultValue
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

export const PublishAgentDocument = graphql(`
  mutation PublishAgent($input: PublishAgentInput!) {
    publishAgent(input: $input) {
      version {
        number
      }
      notReady {
        id
        name
      }
    }
  }
`)

export const RestoreAgentVersionDocument = graphql(`
  mutation RestoreAgentVersion($input: RestoreAgentVersionInput!) {
    restoreAgentVersion(input: $input) {
      agent {
        id
        updatedAt
      }
    }
  }
`)

export type Reviewed = NonNullable<ReviewQuery['agent']>
export type VersionEdge = NonNullable<VersionsQuery['agent']>['versions']['edges'][number]
export type Version = VersionEdge['node']
/** Everything of a draft or a version that shapes a reply. A version also names a model that is no longer offered. */
export type Content = Omit<VersionContent, 'number' | 'modelName' | 'fallbackModelName' | 'knowledge'> & {
  /** Of a draft, the newest of all sources of the agent. */
  knowledge: readonly Known[] | { nodes: readonly DraftKnown[] }
  modelName?: string
  fallbackModelName?: string | null
}

/** The settings that the diff compares as values; instructions and variables are compared line by line. */
export const settings = ['model', 'fallbackModel', 'temperature', 'maxOutputTokens', 'contextTurns'] as const
export type Setting = (typeof settings)[number]

/** A source that the agent knows. */
export type Known = VersionContent['knowledge'][number]
type DraftKnown = Known & Pick<Reviewed['knowledge']['nodes'][number], 'state'>

export type VersionContent = NonNullable<NonNullable<VersionContentQuery['agent']>['version']>

/** As few as that, because their contents are read too, to say what changed. */
const pageSize = 20

/** An agent's draft beside its published version, and its active exports. */
export const reviewQuery = (id: string) => gqlQuery('review', ReviewDocument, { id })

/** The content of an agent's published version, which has that number. It never changes. */
export const liveContentQuery = (id: string, number: number | undefined) =>
  queryOptions({
    queryKey: ['liveContent', { id, number }],
    queryFn: async ({ signal }) => (await gql(ReviewDocument, { id }, { signal })).agent.publishedVersion ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** An agent's versions without their content, newest first, page by page. */
export const versionsQuery = (id: string) =>
  gqlPages('versions', VersionsDocument, { id, first: pageSize }, (data) => data.agent.versions)

/** The content of a version; null when no version has that number. */
export const versionContentQuery = (id: string, number: number) =>
  gqlQuery('versionContent', VersionContentDocument, { id, number })

/** The contents of a page of versions, and of the one before them; `newest` tells the pages at the top apart. */
export const versionContentsQuery = (id: string, after: string | null, newest: number | undefined) =>
  queryOptions({
    queryKey: ['versionContents', { id, after, newest }],
    queryFn: ({ signal }) => gql(VersionContentsDocument, { id, after, first: pageSize + 1 }, { signal }),
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })

/**
 * What decides the values and the price of a message to a version, by the cursor of the one after it. Newer ones may have been published since that was read, so it
 * reads on until it finds the version. One that is not there is an error: without variables, values would be left out.
 */
export const versionGivenQuery = (id: string, number: number | undefined, after: string | null) =>
  queryOptions({
    queryKey: ['versionGiven', { id, number, after }],
    queryFn: async ({ signal }) => {
      for (let cursor = after; ; ) {
        const { agent } = await gql(VersionGivenDocument, { id, after: cursor }, { signal })
        const { nodes, pageInfo } = agent.versions
        const found = nodes.find((version) => version.number === number)
        if (found) return { variables: found.variables, knows: found.knowledge.length > 0 }
        if (!pageInfo.hasNextPage)
          throw new ApiError('NOT_FOUND', i18n.t('versions:notFound', { number }), { requestId: '' })
        cursor = pageInfo.endCursor ?? null
      }
    },
  })

/** Refetches everything that shows an agent's draft, its state or its versions. */
export function refreshVersions(queryClient: QueryClient) {
  const knowledge = ['knowledge', 'knowledgeUse', 'knowledgeSource', 'searchKnowledge']
  const keys = ['agent', 'agents', 'home', 'review', 'versions', 'agentExports', 'exports', ...knowledge]
  return Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
}
