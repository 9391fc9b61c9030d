import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GraphQLClient } from 'graphql-request'
import { graphql } from './__generated__/gql/index.js'
import * as support from './support.js'

const viewerQuery = graphql(`query CodegenViewer { viewer { id name createdAt creditBalance } }`)
const pageQuery = graphql(`
  query CodegenPage($name: String!, $after: String) {
    agents(first: 1, after: $after, filter: { search: $name }) {
      nodes { id name state }
      pageInfo { hasNextPage endCursor }
    }
  }
`)
const createMutation = graphql(`
  mutation CodegenCreate($input: CreateAgentInput!) {
    createAgent(input: $input) { agent { id name model { name } } }
  }
`)
const nodeQuery = graphql(`query CodegenNode($id: ID!) { node(id: $id) { __typename ... on Agent { name } } agent(id: $id) { id } }`)

test('GraphQL Code Generator', async () => {
  const client = new GraphQLClient(support.url, { headers: support.headers })
  assert((await client.request(viewerQuery)).viewer?.id)

  const [first, second] = support.twoAgents('codegen')
  const { createAgent } = await client.request(createMutation, first)
  assert.equal(createAgent.agent.model?.name, first.input.model)
  await client.request(createMutation, second)
  const { agents } = await client.request(pageQuery, { name: first.input.name })
  const next = await client.request(pageQuery, { name: first.input.name, after: agents.pageInfo.endCursor })
  assert.notEqual(next.agents.nodes[0]?.name, agents.nodes[0]?.name)

  const { node } = await client.request(nodeQuery, { id: createAgent.agent.id })
  assert(node?.__typename === 'Agent' && node.name === first.input.name)
  await assert.rejects(client.request(nodeQuery, support.unknown), /NOT_FOUND/)
})
