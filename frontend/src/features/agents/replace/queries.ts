import { graphql } from '@/gql'
import type { ReplaceCandidatesQuery } from '@/gql/graphql'
import { gqlPages } from '@/shared/gql'
import { searchFor } from './replacing'

const ReplaceCandidatesDocument = graphql(`
  query ReplaceCandidates($first: Int, $after: String, $filter: AgentFilter) {
    agents(first: $first, after: $after, filter: $filter) {
      nodes {
        id
        name
        state
        missing
        instructions
        updatedAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`)

export const ReplaceInstructionsDocument = graphql(`
  mutation ReplaceInstructions($input: UpdateAgentInput!) {
    updateAgent(input: $input) {
      agent {
        id
      }
    }
  }
`)

export type Candidate = ReplaceCandidatesQuery['agents']['nodes'][number]

/** Instructions may be long. */
const pageSize = 20

/** The agents that may have a text in their instructions. The preview is what changes, so it is not read again. */
export const candidatesQuery = (find: string) => ({
  ...gqlPages(
    'replaceCandidates',
    ReplaceCandidatesDocument,
    { first: pageSize, filter: { search: searchFor(find) } },
    (data) => data.agents,
  ),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnReconnect: false,
  refetchOnWindowFocus: false,
})
