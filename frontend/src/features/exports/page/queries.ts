import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { ExportPageQuery } from '@/gql/graphql'
import { ApiError, gql, gqlQuery } from '@/shared/gql'
import { lastDays, timeZone } from '@/shared/time'

const ExportPageDocument = graphql(`
  query ExportPage($id: ID!) {
    node(id: $id) {
      __typename
      ... on ApiExport {
        id
        name
        state
        createdAt
        removedAt
        expiresAt
        lastUsedAt
        rateLimitPerMinute
        version
        dailyCreditLimit
        monthlyCreditLimit
        creditsUsedToday
        creditsUsedThisMonth
        requireUserId
        userDailyMessageLimit
        keys {
          id
          createdAt
          lastUsedAt
          stopsAt
          hint
        }
        agent {
          id
          name
          state
          publishedVersion {
            number
            variables {
              name
              required
            }
            actions {
              name
            }
            replySchema
            model {
              name
              creditsPerMessage
            }
          }
        }
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
      }
    }
  }
`)

const ExportUseDocument = graphql(`
  query ExportUse($exportId: ID!, $from: DateTime!, $to: DateTime!, $timeZone: String) {
    viewer {
      id
      total: usage(filter: { exportId: $exportId, from: $from, to: $to }, groupBy: []) {
        messages
        failed
        refused
        credits
      }
      days: usage(
        filter: { exportId: $exportId, from: $from, to: $to }
        groupBy: []
        interval: DAY
        timeZone: $timeZone
      ) {
        start
        credits
      }
    }
  }
`)

const ExportCallsDocument = graphql(`
  query ExportCalls($exportId: ID!, $first: Int!) {
    viewer {
      id
      requests(first: $first, filter: { exportId: $exportId }) {
        nodes {
          id
          requestId
          at
          outcome
          status
          code
          credits
          durationMs
        }
      }
    }
  }
`)

/** The answer contains the full key: send it with gql(), and keep the answer out of every cache. */
export const ReplaceApiKeyDocument = graphql(`
  mutation ReplaceApiKey($input: ReplaceApiKeyInput!) {
    replaceApiKey(input: $input) {
      apiKey
      export {
        id
        name
      }
    }
  }
`)

export const StopApiKeyDocument = graphql(`
  mutation StopApiKey($input: StopApiKeyInput!) {
    stopApiKey(input: $input) {
      export {
        id
        keys {
          id
          createdAt
          lastUsedAt
          stopsAt
          hint
        }
      }
    }
  }
`)

export const SetApiKeyStopDocument = graphql(`
  mutation SetApiKeyStop($input: SetApiKeyStopInput!) {
    setApiKeyStop(input: $input) {
      export {
        id
        keys {
          id
          createdAt
          lastUsedAt
          stopsAt
          hint
        }
      }
    }
  }
`)

export const RemoveApiExportDocument = graphql(`
  mutation RemoveApiExport($input: RemoveApiExportInput!) {
    removeApiExport(input: $input) {
      export {
        id
        state
        removedAt
      }
    }
  }
`)

/** An export as its page shows it. */
export type Export = Extract<ExportPageQuery['node'], { __typename: 'ApiExport' }>
export type Key = Export['keys'][number]

/** One export, removed or not. */
export const exportQuery = (id: string) =>
  queryOptions<Export, ApiError>({
    queryKey: ['export', id],
    queryFn: async ({ signal }) => {
      const { node } = await gql(ExportPageDocument, { id }, { signal })
      if (node.__typename !== 'ApiExport') throw new ApiError('NOT_FOUND', '', { requestId: '' })
      return node
    },
  })

/** How many days of use a page shows. */
export const daysShown = 30

/** What an export used in the last days, each of them in the reader's time zone. */
export const exportUseQuery = (exportId: string, now: number) =>
  gqlQuery('exportUse', ExportUseDocument, { exportId, ...lastDays(daysShown, now), timeZone: timeZone() })

const callsShown = 8

/** The latest requests of an export. */
export const exportCallsQuery = (exportId: string) =>
  gqlQuery('exportCalls', ExportCallsDocument, { exportId, first: callsShown })

/** Applies a mutation's answer to the cached export, so that the page changes before the refetch. */
export function applyToExport(queryClient: QueryClient, change: Partial<Export> & { id: string }) {
  queryClient.setQueryData(exportQuery(change.id).queryKey, (row) => row && { ...row, ...change })
}
