import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClientError, GraphQLClient } from 'graphql-request'
import * as support from './support.js'

for (const method of ['POST', 'GET'] as const) {
  test(`graphql-request by ${method}`, async () => {
    const client = new GraphQLClient(support.url, { headers: support.headers, method })
    const writing = new GraphQLClient(support.url, { headers: support.headers })
    const { viewer } = await client.request<support.Viewer>(support.viewerQuery)

    const [first, second] = support.twoAgents('graphql-request')
    await writing.request<support.Created>(support.createMutation, first)
    await writing.request<support.Created>(support.createMutation, second)
    const variables = { name: first.input.name }
    const page = await client.request<support.Page>(support.pageQuery, variables)
    const after = page.agents.pageInfo.endCursor
    const next = await client.request<support.Page>(support.pageQuery, { ...variables, after })
    assert.deepEqual([page, next].map(({ agents }) => agents.nodes.length), [1, 1])
    assert.equal(next.agents.pageInfo.hasNextPage, false)

    const missing = client.request<support.Missing>(support.missingQuery, support.unknown)
    await assert.rejects(missing, (error: unknown) => {
      assert(error instanceof ClientError)
      assert.equal(error.response.errors?.[0]?.extensions?.code, 'NOT_FOUND')
      assert.deepEqual(error.response.data, { viewer: { id: viewer.id }, agent: null })
      return true
    })
  })
}
