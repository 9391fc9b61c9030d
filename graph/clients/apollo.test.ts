import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs'
import * as support from './support.js'

const options = { uri: support.url, headers: support.headers }
const cache = () => new InMemoryCache()

test('Apollo Client', async () => {
  const client = new ApolloClient({ link: new HttpLink(options), cache: cache() })
  const viewer = await client.query<support.Viewer>({ query: gql(support.viewerQuery) })
  assert(viewer.data?.viewer.id)

  const [first, second] = support.twoAgents('Apollo')
  const mutation = gql(support.createMutation)
  const created = await client.mutate<support.Created>({ mutation, variables: first })
  await client.mutate({ mutation, variables: second })
  const agentId = created.data?.createAgent.agent.id ?? ''

  const query = gql(support.pageQuery)
  const variables = { name: first.input.name }
  const page = await client.query<support.Page>({ query, variables })
  const after = page.data?.agents.pageInfo.endCursor
  const next = await client.query<support.Page>({ query, variables: { ...variables, after } })
  assert.deepEqual([page, next].map(({ data }) => data?.agents.nodes.length), [1, 1])
  assert.equal(next.data?.agents.pageInfo.hasNextPage, false)

  // What is missing is null, and the rest is there.
  const asked = { query: gql(support.missingQuery), variables: support.unknown, errorPolicy: 'all' } as const
  const missing = await client.query<support.Missing>(asked)
  assert.equal(missing.data?.agent, null)
  assert.equal(missing.data?.viewer?.id, viewer.data.viewer.id)
  assert(CombinedGraphQLErrors.is(missing.error))
  assert.equal(missing.error.errors[0]?.extensions?.code, 'NOT_FOUND')

  const variablesOfMessage = support.messageInput(agentId)
  const results = await support.collected<{ data?: support.Message | null }>((sink) =>
    client.subscribe<support.Message>({ query: gql(support.messageSubscription), variables: variablesOfMessage }).subscribe({
      ...sink,
      next: (result) => (result.error ? sink.error(result.error) : sink.next(result)),
    }),
  )
  support.checkReply(results.map(({ data }) => data))

  const uploading = new ApolloClient({ link: new UploadHttpLink(options), cache: cache() })
  const file = support.fileInput(agentId, support.file())
  const uploaded = await uploading.mutate<support.Uploaded>({ mutation: gql(support.uploadMutation), variables: file })
  assert.equal(uploaded.data?.addKnowledgeFile.source.name, 'returns.txt')
})

test('Apollo Client with queries by GET', async () => {
  const { sent, fetch } = support.recorded()
  const link = new HttpLink({ ...options, fetch, useGETForQueries: true })
  const client = new ApolloClient({ link, cache: cache(), clientAwareness: { name: 'test', version: '1' } })
  assert((await client.query<support.Viewer>({ query: gql(support.viewerQuery) })).data?.viewer.id)
  assert.equal(sent[0]?.method, 'GET')
})

test('Apollo Client with persisted queries', async () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  for (const useGETForHashedQueries of [false, true]) {
    const { sent, fetch } = support.recorded()
    const link = new PersistedQueryLink({ sha256, useGETForHashedQueries }).concat(new HttpLink({ ...options, fetch }))
    const client = new ApolloClient({ link, cache: cache() })
    for (const query of [support.viewerQuery, 'query Again { viewer { createdAt } }']) {
      assert((await client.query<support.Viewer>({ query: gql(query) })).data?.viewer)
    }
    assert.equal(sent.length, 3, 'the hash of the first query, then both texts')
  }
})

test('Apollo Client tells apart two requests that have one X-Request-Id', async () => {
  const client = new ApolloClient({ link: new HttpLink(options), cache: cache() })
  const run = async (mutation: string, input: object) => {
    const { data } = await client.mutate<Record<string, any>>({ mutation: gql(mutation), variables: { input } })
    return Object.values(data ?? {})[0]
  }
  const agentId = (await run(support.createMutation, support.twoAgents('Requests')[0].input)).agent.id
  await run('mutation ($input: PublishAgentInput!) { publishAgent(input: $input) { agent { id } } }', { id: agentId })
  const name = 'A server'
  const made = await run('mutation ($input: CreateApiExportInput!) { createApiExport(input: $input) { apiKey } }', { agentId, name })
  for (const session of ['First', 'Second']) {
    const headers = { Authorization: `Bearer ${made.apiKey}`, 'Content-Type': 'application/json', 'X-Request-Id': 'same' }
    const body = JSON.stringify({ message: 'Hello', session_id: session })
    const response = await fetch(`${process.env.AGENTCHAT_URL}/v1/agent/chat`, { method: 'POST', headers, body })
    assert.equal(response.status, 200)
  }
  const query = gql('query Requests { viewer { id requests { nodes { id requestId sessionId } } } }')
  const { data } = await client.query<{ viewer: { requests: { nodes: { sessionId: string }[] } } }>({ query })
  assert.deepEqual(data?.viewer.requests.nodes.map(({ sessionId }) => sessionId), ['Second', 'First'])
})
