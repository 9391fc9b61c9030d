import { graphql } from '@/gql'
import type { AgentFilter, AgentQuery, AgentsQuery, ModelsQuery } from '@/gql/graphql'
import { followSlowly, gqlPages, gqlQuery } from '@/shared/gql'

const AgentsDocument = graphql(`
  query Agents($first: Int, $after: String, $filter: AgentFilter) {
    agents(first: $first, after: $after, filter: $filter) {
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

const AgentDocument = graphql(`
  query Agent($id: ID!) {
    agent(id: $id) {
      id
      name
      description
      instructions
      temperature
      maxOutputTokens
      contextTurns
      replySchema
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
      state
      missing
      hasUnpublishedChanges
      updatedAt
      lastUsedAt
      publishedVersion {
        number
      }
      model {
        name
        label
        creditsPerMessage
        creditsWithKnowledge
        available
        sandbox
      }
      fallbackModel {
        name
        label
        creditsPerMessage
        creditsWithKnowledge
        available
      }
      exports {
        id
        version
      }
    }
  }
`)

export const UpdateAgentDocument = graphql(`
  mutation UpdateAgent($input: UpdateAgentInput!) {
    updateAgent(input: $input) {
      agent {
        id
        name
        description
        instructions
        temperature
        maxOutputTokens
        contextTurns
        replySchema
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
        state
        missing
        hasUnpublishedChanges
        updatedAt
        lastUsedAt
        publishedVersion {
          number
        }
        model {
          name
          label
          creditsPerMessage
          creditsWithKnowledge
          available
          sandbox
        }
        fallbackModel {
          name
          label
          creditsPerMessage
          creditsWithKnowledge
          available
        }
        exports {
          id
          version
        }
      }
    }
  }
`)

const ExampleReplyDocument = graphql(`
  query ExampleReply($schema: String!) {
    exampleReply(schema: $schema)
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

const pageSize = 100

/** The account's agents, newest first, page by page. */
export const agentsQuery = (filter: AgentFilter) =>
  gqlPages('agents', AgentsDocument, { first: pageSize, filter }, (data) => data.agents)

/** All models, available or not. */
/** The operator can change models and prices at any time. */
export const modelsQuery = { ...gqlQuery('models', ModelsDocument), refetchInterval: followSlowly }

/** One agent with everything that its pages show. */
export const agentQuery = (id: string) => gqlQuery('agent', AgentDocument, { id })

/** A made-up reply that fits a schema; null if none could be made up. */
export const exampleReplyQuery = (schema: string) => ({
  ...gqlQuery('exampleReply', ExampleReplyDocument, { schema }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The longest instructions that the service accepts, in Unicode code points. */
export const maxInstructions = 32_768

export type Agent = NonNullable<AgentQuery['agent']>

export type ListedAgent = AgentsQuery['agents']['nodes'][number]

export type Model = ModelsQuery['models'][number]
