import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { graphql, readFragment } from '@/gql'
import type { ReviewQuery, VersionContentFragment, VersionsQuery } from '@/gql/graphql'
import { ApiError, gql, gqlPages, gqlQuery, withFragment } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { lastDays } from '@/shared/time'
import { DraftContent, VersionContent } from './diff/content'

const ReviewDocument = graphql(`
  query Review($id: ID!) {
    agent(id: $id) {
      id
      name
      state
      missing
      updatedAt
      hasUnpublishedChanges
      ...DraftContent
      knowledge(first: 100) {
        nodes {
          id
          name
          state
          inDraft
          inVersions
        }
      }
      model {
        sandbox
        creditsPerMessage
        creditsWithKnowledge
      }
      fallbackModel {
        creditsPerMessage
        creditsWithKnowledge
      }
      publishedVersion {
        ...VersionContent
        model {
          sandbox
          creditsPerMessage
          creditsWithKnowledge
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
            ratings {
              up
              down
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

const VersionDocument = graphql(`
  query Version($id: ID!, $number: Int!) {
    agent(id: $id) {
      id
      version(number: $number) {
        ...VersionContent
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
          ...VersionContent
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

const VersionSuccessDocument = graphql(`
  query VersionSuccess($agentId: ID!, $from: DateTime!, $to: DateTime!) {
    viewer {
      id
      usage(filter: { agentId: $agentId, from: $from, to: $to }, groupBy: [VERSION]) {
        version
        messages
        failed
      }
    }
  }
`)

export const PinApiExportDocument = graphql(`
  mutation PinApiExport($input: UpdateApiExportInput!) {
    updateApiExport(input: $input) {
      export {
        id
        version
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

export type Reviewed = ReturnType<typeof reviewed>
export type VersionEdge = NonNullable<VersionsQuery['agent']>['versions']['edges'][number]
export type Version = VersionEdge['node']
/** Small, because the list also reads the contents of these versions to say what changed. */
const pageSize = 20

/** An agent's draft, its published version and its active exports. */
export const reviewQuery = (id: string) =>
  queryOptions<{ agent: Reviewed }, ApiError>({
    queryKey: ['review', { id }],
    queryFn: async ({ signal }) => ({ agent: reviewed((await gql(ReviewDocument, { id }, { signal })).agent) }),
  })

/** The reviewed agent with the fields of its fragments. */
function reviewed(agent: NonNullable<ReviewQuery['agent']>) {
  const { publishedVersion } = agent
  return {
    ...withFragment(DraftContent, agent),
    publishedVersion: publishedVersion && withFragment(VersionContent, publishedVersion),
  }
}

/** The content of an agent's published version, which has that number. It never changes. */
export const liveContentQuery = (id: string, number: number | undefined) =>
  queryOptions({
    queryKey: ['liveContent', { id, number }],
    queryFn: async ({ signal }) =>
      reviewed((await gql(ReviewDocument, { id }, { signal })).agent).publishedVersion ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** An agent's versions without their content, newest first, page by page. */
export const versionsQuery = (id: string) =>
  gqlPages('versions', VersionsDocument, { id, first: pageSize }, (data) => data.agent.versions)

/** The messages of the last seven days by version, which take longer than the list. */
export const versionSuccessQuery = (agentId: string, now: number) =>
  gqlQuery('versionSuccess', VersionSuccessDocument, { agentId, ...lastDays(7, now) })

/** The content of a version; null when no version has that number. */
export const versionContentQuery = (id: string, number: number) =>
  queryOptions<{ version: VersionContentFragment | null }, ApiError>({
    queryKey: ['versionContent', { id, number }],
    queryFn: async ({ signal }) => {
      const { version } = (await gql(VersionDocument, { id, number }, { signal })).agent
      return { version: readFragment(VersionContent, version) ?? null }
    },
  })

/** The contents of a page of versions, and of the one before them; `newest` tells the pages at the top apart. */
export const versionContentsQuery = (id: string, after: string | null, newest: number | undefined) =>
  queryOptions({
    queryKey: ['versionContents', { id, after, newest }],
    queryFn: async ({ signal }) => {
      const { agent } = await gql(VersionContentsDocument, { id, after, first: pageSize + 1 }, { signal })
      return readFragment(VersionContent, agent.versions.nodes)
    },
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
  const keys = ['agent', 'agents', 'home', 'review', 'versions', 'agentExports', 'exports', 'export', ...knowledge]
  return Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
}
