import type { QueryClient } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { AccountExportsQuery, AgentExportsQuery, ExportFilter, ExportOrder } from '@/gql/graphql'
import { gqlPages, gqlQuery } from '@/shared/gql'
import type { Column, ExportSort } from './list/columns'

const AgentExportsDocument = graphql(`
  query AgentExports($id: ID!) {
    agent(id: $id) {
      id
      name
      state
      model {
        sandbox
      }
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
      exports {
        id
        name
        state
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
          hint
        }
      }
    }
  }
`)

const AccountExportsDocument = graphql(`
  query AccountExports($first: Int, $after: String, $filter: ExportFilter, $orderBy: ExportOrder) {
    viewer {
      id
      exports(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
        nodes {
          id
          name
          state
          removedAt
          lastUsedAt
          expiresAt
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
            hint
          }
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

const LiveAgentsDocument = graphql(`
  query LiveAgents($first: Int, $after: String) {
    agents(
      first: $first
      after: $after
      filter: { state: LIVE }
      orderBy: { field: NAME, direction: ASC }
    ) {
      nodes {
        id
        name
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)

/** The answer contains the full key: send it with gql(), and keep the answer out of every cache. */
export const CreateApiExportDocument = graphql(`
  mutation CreateApiExport($input: CreateApiExportInput!) {
    createApiExport(input: $input) {
      apiKey
      export {
        id
        name
      }
    }
  }
`)

export const UpdateApiExportDocument = graphql(`
  mutation UpdateApiExport($input: UpdateApiExportInput!) {
    updateApiExport(input: $input) {
      export {
        id
        name
        state
        rateLimitPerMinute
        version
        expiresAt
        dailyCreditLimit
        monthlyCreditLimit
        creditsUsedToday
        creditsUsedThisMonth
        requireUserId
        userDailyMessageLimit
      }
    }
  }
`)

export const PauseApiExportDocument = graphql(`
  mutation PauseApiExport($input: PauseApiExportInput!) {
    pauseApiExport(input: $input) {
      export {
        id
        state
      }
    }
  }
`)

export const ResumeApiExportDocument = graphql(`
  mutation ResumeApiExport($input: ResumeApiExportInput!) {
    resumeApiExport(input: $input) {
      export {
        id
        state
      }
    }
  }
`)

const pageSize = 50

/** The states of an export, in the order of the filter. */
export const exportStates = ['ACTIVE', 'PAUSED', 'EXPIRED', 'REMOVED'] as const

/** An agent with the data that its exports need. */
export type ExportedAgent = NonNullable<AgentExportsQuery['agent']>

/** An export of one agent. */
export type AgentExport = ExportedAgent['exports'][number]

/** The version that callers get unless their export is pinned, with its model's price. */
export type PublishedVersion = Pick<
  NonNullable<ExportedAgent['publishedVersion']>,
  'number' | 'variables' | 'model'
> | null

/** An export in the list of the whole account. */
export type AccountExport = NonNullable<AccountExportsQuery['viewer']>['exports']['nodes'][number]

/** An agent and all its exports, including removed ones. */
export const agentExportsQuery = (id: string) => gqlQuery('agentExports', AgentExportsDocument, { id })

const fields = { name: 'NAME', today: 'CREDITS_TODAY', month: 'CREDITS_MONTH', used: 'LAST_USED' } as const

/** The exports of the account, page by page: those in use in an order, removed ones by their age. */
export function accountExportsQuery(filter: ExportFilter, sort: ExportSort) {
  const orderBy: ExportOrder = {
    field: fields[sort.replace('-', '') as Column],
    direction: sort.startsWith('-') ? 'DESC' : 'ASC',
  }
  const variables = { first: pageSize, filter, orderBy: filter.inUse ? orderBy : undefined }
  return gqlPages('exports', AccountExportsDocument, variables, (data) => data.viewer.exports)
}

/** The live agents, page by page. */
export const liveAgentsQuery = gqlPages('liveAgents', LiveAgentsDocument, { first: 100 }, (data) => data.agents)

/** Refetches everything that shows or counts exports, in the background for what is visible. */
export function refreshExports(queryClient: QueryClient) {
  for (const key of ['export', 'agentExports', 'exports', 'agents', 'agent', 'home', 'versions', 'review']) {
    void queryClient.invalidateQueries({ queryKey: [key] })
  }
}

/** The last characters of a key, by which the search finds its export. */
export const endOfKey = (hint: string) => hint.slice(hint.indexOf('…'))
