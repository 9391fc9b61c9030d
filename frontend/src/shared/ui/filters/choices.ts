import { queryOptions } from '@tanstack/react-query'
import { graphql } from '@/gql'
import { gql } from '@/shared/gql'

const AgentChoicesDocument = graphql(`
  query AgentChoices($after: String) {
    agents(first: 100, after: $after) {
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

const ExportChoicesDocument = graphql(`
  query ExportChoices($agentId: ID, $after: String) {
    viewer {
      id
      exports(first: 100, after: $after, filter: { agentId: $agentId }) {
        nodes {
          id
          name
          state
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

/** The most options that are offered, newest first. */
const mostChoices = 1_000
const choicesStaleMs = 60_000

/** The agents to choose from. */
export const agentChoicesQuery = queryOptions({
  queryKey: ['agents', 'choices'],
  queryFn: ({ signal }) => everyPage(async (after) => (await gql(AgentChoicesDocument, { after }, { signal })).agents),
  staleTime: choicesStaleMs,
})

/** The exports to choose from, including removed ones: of one agent, or all. */
export const exportChoicesQuery = (agentId: string | undefined) =>
  queryOptions({
    queryKey: ['exports', 'choices', agentId],
    queryFn: ({ signal }) =>
      everyPage(async (after) => (await gql(ExportChoicesDocument, { agentId, after }, { signal })).viewer.exports),
    staleTime: choicesStaleMs,
  })

type Page<Node> = { nodes: Node[]; pageInfo: { hasNextPage: boolean; endCursor?: string | null } }

async function everyPage<Node>(load: (after: string | null) => Promise<Page<Node>>): Promise<Node[]> {
  const all: Node[] = []
  let after: string | null = null
  do {
    const page: Page<Node> = await load(after)
    all.push(...page.nodes)
    after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null
  } while (after !== null && all.length < mostChoices)
  return all
}
