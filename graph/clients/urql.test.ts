import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, cacheExchange, fetchExchange, gql } from '@urql/core'
import { persistedExchange } from '@urql/exchange-persisted'
import * as support from './support.js'

const exchanges = [cacheExchange, fetchExchange]
const fetchOptions = { headers: support.headers }

test('urql', async () => {
  const { sent, fetch } = support.recorded()
  const client = new Client({ url: support.url, fetch, fetchOptions, exchanges, fetchSubscriptions: true })
  const viewer = await client.query<support.Viewer>(gql(support.viewerQuery), {}).toPromise()
  assert.ifError(viewer.error)
  assert.equal(sent[0]?.method, 'GET')

  const [first, second] = support.twoAgents('urql')
  const created = await client.mutation<support.Created>(gql(support.createMutation), first).toPromise()
  assert.ifError(created.error)
  await client.mutation(gql(support.createMutation), second).toPromise()
  const agentId = created.data?.createAgent.agent.id ?? ''

  const variables = { name: first.input.name }
  const page = await client.query<support.Page>(gql(support.pageQuery), variables).toPromise()
  const after = page.data?.agents.pageInfo.endCursor
  const next = await client.query<support.Page>(gql(support.pageQuery), { ...variables, after }).toPromise()
  assert.deepEqual([page, next].map(({ data }) => data?.agents.nodes.length), [1, 1])
  assert.equal(next.data?.agents.pageInfo.hasNextPage, false)

  const missing = await client.query<support.Missing>(gql(support.missingQuery), support.unknown).toPromise()
  assert.equal(missing.error?.graphQLErrors[0]?.extensions.code, 'NOT_FOUND')
  assert.deepEqual(missing.data, { viewer: { id: viewer.data?.viewer.id, __typename: 'Account' }, agent: null })

  const upload = support.fileInput(agentId, support.file())
  const uploaded = await client.mutation<support.Uploaded>(gql(support.uploadMutation), upload).toPromise()
  assert.equal(uploaded.data?.addKnowledgeFile.source.name, 'returns.txt', uploaded.error?.message)

  const message = support.messageInput(agentId)
  const messages = await support.collected<support.Message | undefined>(({ next, error, complete }) =>
    client.subscription<support.Message>(gql(support.messageSubscription), message).subscribe((result) => {
      if (result.error) error(result.error)
      if (result.data) next(result.data)
      if (!result.hasNext) complete()
    }),
  )
  support.checkReply(messages)
})

test('urql with persisted queries', async () => {
  for (const preferGetMethod of [undefined, false]) {
    const { sent, fetch } = support.recorded()
    const persisted = [cacheExchange, persistedExchange({ preferGetForPersistedQueries: preferGetMethod !== false }), fetchExchange]
    const client = new Client({ url: support.url, fetch, fetchOptions, exchanges: persisted, preferGetMethod })
    const viewer = await client.query<support.Viewer>(gql(support.viewerQuery), {}).toPromise()
    assert.ifError(viewer.error)
    assert(viewer.data?.viewer.id)
    assert.equal(sent.length, 2, 'the hash, then the text')
  }
})
