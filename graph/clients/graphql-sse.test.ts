import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from 'graphql-sse'
import { GraphQLClient } from 'graphql-request'
import * as support from './support.js'

const options = { url: support.url, headers: support.headers }
const request = new GraphQLClient(support.url, { headers: support.headers })

async function newAgent() {
  const [variables] = support.twoAgents('graphql-sse')
  return (await request.request<support.Created>(support.createMutation, variables)).createAgent.agent.id
}

/** fetch whose first response breaks off at the second piece of the reply. */
function cutOnce() {
  let pieces = 0
  const cutting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (pieces > 0 || !response.body) return response
    const reader = response.body.getReader()
    const body = new ReadableStream({
      async pull(controller) {
        const { value } = await reader.read()
        if (!Buffer.from(value ?? []).includes('"text"') || ++pieces < 2) return controller.enqueue(value)
        await reader.cancel()
        controller.error(new TypeError('the connection broke'))
      },
    })
    return new Response(body, { status: response.status, headers: response.headers })
  }
  return cutting
}

const turnsQuery = 'query Turns($id: ID!) { agent(id: $id) { conversations { nodes { turns { nodes { reply } } } } } }'
type Turns = { agent: { conversations: { nodes: { turns: { nodes: { reply: string }[] } }[] } } }
const turnsOf = async (id: string) =>
  (await request.request<Turns>(turnsQuery, { id })).agent.conversations.nodes.flatMap(({ turns }) => turns.nodes)

const follow = (client: ReturnType<typeof createClient>, agentId: string) =>
  support.collected<{ data?: support.Message | null; errors?: readonly { message: string }[] }>((sink) =>
    client.subscribe<support.Message>({ query: support.messageSubscription, variables: support.messageInput(agentId) }, sink),
  )

test('graphql-sse', async () => {
  const agentId = await newAgent()
  const results = await follow(createClient(options), agentId)
  support.checkReply(results.map(({ data }) => data))
})

test('graphql-sse for queries and mutations', async () => {
  const { sent, fetch } = support.recorded()
  const client = createClient({ ...options, fetchFn: fetch })
  const run = async <Result>(query: string, variables?: Record<string, unknown>) =>
    (await client.iterate<Result>({ query, variables }).next()).value
  assert((await run<support.Viewer>(support.viewerQuery))?.data?.viewer.id)

  const [first, second] = support.twoAgents('graphql-sse')
  await run(support.createMutation, first)
  await run(support.createMutation, second)
  const variables = { name: first.input.name }
  const page = await run<support.Page>(support.pageQuery, variables)
  const after = page?.data?.agents.pageInfo.endCursor
  const next = await run<support.Page>(support.pageQuery, { ...variables, after })
  assert.deepEqual([page, next].map((result) => result?.data?.agents.nodes.length), [1, 1])
  assert.equal(next?.data?.agents.pageInfo.hasNextPage, false)

  const missing = await run<support.Missing>(support.missingQuery, support.unknown)
  assert.equal(missing?.errors?.[0]?.extensions?.code, 'NOT_FOUND')
  assert.equal(missing?.data?.agent, null)
  assert.equal(sent.length, 6, 'each was sent once')
})

test('graphql-sse repeats a stream that breaks: with a key it is one message', async () => {
  const agentId = await newAgent()
  const results = await follow(createClient({ ...options, fetchFn: cutOnce() }), agentId)
  const turns = await turnsOf(agentId)
  assert.equal(turns.length, 1)
  assert.equal(results.at(-1)?.data?.testMessage.turn?.reply, turns[0]?.reply, JSON.stringify(results))
})

test('graphql-sse with retryAttempts: 0 repeats nothing', async () => {
  const agentId = await newAgent()
  await assert.rejects(follow(createClient({ ...options, fetchFn: cutOnce(), retryAttempts: 0 }), agentId))
  assert.equal((await turnsOf(agentId)).length, 1)
})
