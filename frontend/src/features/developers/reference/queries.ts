import { queryOptions } from '@tanstack/react-query'
import { graphql, readFragment } from '@/gql'
import type { CalledExportFragment } from '@/gql/graphql'
import { type ApiError, gql } from '@/shared/gql'

const CalledExport = graphql(`
  fragment CalledExport on ApiExport {
    id
    state
    requireUserId
    userDailyMessageLimit
    pinnedVersion {
      variables {
        name
        required
      }
      actions {
        name
      }
      replySchema
    }
    agent {
      id
      name
      publishedVersion {
        variables {
          name
          required
        }
        actions {
          name
        }
        replySchema
      }
    }
  }
`)

const QuickstartDocument = graphql(`
  query Quickstart($id: ID!) {
    node(id: $id) {
      __typename
      ...CalledExport
    }
  }
`)

const NewestExportDocument = graphql(`
  query NewestExport($agentId: ID) {
    viewer {
      id
      exports(first: 1, filter: { agentId: $agentId, state: ACTIVE }) {
        nodes {
          id
          ...CalledExport
        }
      }
    }
  }
`)

/** The data of an export and its agent that the samples need; null if the export does not exist. */
export const quickstartQuery = (id: string) =>
  queryOptions<CalledExportFragment | null, ApiError>({
    queryKey: ['quickstart', id],
    queryFn: async ({ signal }) => {
      const { node } = await gql(QuickstartDocument, { id }, { signal })
      return node.__typename === 'ApiExport' ? readFragment(CalledExport, node) : null
    },
  })

/** The newest export that answers, which is shown unless the address names another one. */
export const newestQuery = (agentId: string | undefined) =>
  queryOptions({
    queryKey: ['exports', 'newest', agentId],
    queryFn: async ({ signal, client }) => {
      const { viewer } = await gql(NewestExportDocument, { agentId }, { signal })
      const [node] = viewer.exports.nodes
      if (node) client.setQueryData(quickstartQuery(node.id).queryKey, readFragment(CalledExport, node))
      return node?.id ?? null
    },
  })
