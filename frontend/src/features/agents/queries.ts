import { queryOptions } from '@tanstack/react-query'
import { type FragmentType, graphql, readFragment } from '@/gql'
import type {
  AgentFilter,
  AgentOrder,
  AgentsQuery,
  DraftContentFragment,
  EditedAgentFragment,
  ModelsQuery,
} from '@/gql/graphql'
import { type ApiError, followSlowly, gql, gqlPages, gqlQuery } from '@/shared/gql'

const AgentsDocument = graphql(`
  query Agents($first: Int, $after: String, $filter: AgentFilter, $orderBy: AgentOrder) {
    agents(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
      nodes {
        id
        name
        description
        state
        hasUnpublishedChanges
        lastUsedAt
        publishedVersion {
          number
        }
        model {
          name
          label
        }
        exports {
          id
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`)

const ModelsDocument = graphql(`
  query Models {
    models {
      name
      label
      provider
      creditsPerMessage
      creditsWithKnowledge
      available
      contextWindow
      sandbox
    }
  }
`)

export const CreateAgentDocument = graphql(`
  mutation CreateAgent($input: CreateAgentInput!) {
    createAgent(input: $input) {
      agent {
        id
        name
      }
    }
  }
`)

export const DuplicateAgentDocument = graphql(`
  mutation DuplicateAgent($input: DuplicateAgentInput!) {
    duplicateAgent(input: $input) {
      agent {
        id
        name
      }
    }
  }
`)

const EditedAgent = graphql(`
  fragment EditedAgent on Agent {
    id
    name
    description
    ...DraftContent
    state
    missing
    hasUnpublishedChanges
    updatedAt
    lastUsedAt
    publishedVersion {
      number
    }
    model {
      creditsPerMessage
      creditsWithKnowledge
      available
      sandbox
    }
    fallbackModel {
      creditsPerMessage
      creditsWithKnowledge
      available
    }
    exports {
      id
      version
    }
    knowledgeUse {
      mode
    }
  }
`)

const AgentDocument = graphql(`
  query Agent($id: ID!) {
    agent(id: $id) {
      ...EditedAgent
    }
  }
`)

export const UpdateAgentDocument = graphql(`
  mutation UpdateAgent($input: UpdateAgentInput!) {
    updateAgent(input: $input) {
      agent {
        ...EditedAgent
      }
    }
  }
`)

const ExampleReplyDocument = graphql(`
  query ExampleReply($schema: String!) {
    exampleReply(schema: $schema)
    schemaNotes(schema: $schema) {
      path
    }
  }
`)

export const UnpublishAgentDocument = graphql(`
  mutation UnpublishAgent($input: UnpublishAgentInput!) {
    unpublishAgent(input: $input) {
      agent {
        id
      }
    }
  }
`)

export const DeleteAgentDocument = graphql(`
  mutation DeleteAgent($input: DeleteAgentInput!) {
    deleteAgent(input: $input) {
      deletedAgentId
    }
  }
`)

const pageSize = 50

/** The account's agents in an order, page by page. */
export const agentsQuery = (filter: AgentFilter, orderBy: AgentOrder) =>
  gqlPages('agents', AgentsDocument, { first: pageSize, filter, orderBy }, (data) => data.agents)

/** All models, available or not. The operator can change models and prices at any time. */
export const modelsQuery = { ...gqlQuery('models', ModelsDocument), refetchInterval: followSlowly }

/** One agent with everything that its pages show. */
export const agentQuery = (id: string) =>
  queryOptions<{ agent: Agent }, ApiError>({
    queryKey: ['agent', { id }],
    queryFn: async ({ signal }) => ({ agent: agentOf((await gql(AgentDocument, { id }, { signal })).agent) }),
  })

/** The agent of a response with the fields of its fragments. The type alone: the code of versions is not loaded for the list. */
export const agentOf = (node: FragmentType<typeof EditedAgent>) => readFragment(EditedAgent, node) as Agent

/** A made-up reply that fits a schema, null if none could be made up, and what of the schema is not checked. */
export const exampleReplyQuery = (schema: string) => ({
  ...gqlQuery('exampleReply', ExampleReplyDocument, { schema }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The longest instructions that the service accepts, in Unicode code points. */
export const maxInstructions = 32_768

export type Agent = EditedAgentFragment & DraftContentFragment

export type ListedAgent = AgentsQuery['agents']['nodes'][number]

export type Model = ModelsQuery['models'][number]
