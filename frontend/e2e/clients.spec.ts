import { ApolloClient, gql as apolloGql, HttpLink, InMemoryCache } from '@apollo/client'
import { cacheExchange, fetchExchange, gql, subscriptionExchange, Client as Urql } from '@urql/core'
import { createClient } from 'graphql-sse'
import type { Owner } from './support/owner'
import { addresses, expect, test } from './support/test'

// What others build on the API with: each client as its documentation sets it up, for a query, a mutation and a subscription.

const viewerQuery = 'query Viewer { viewer { id name agents(first: 5) { nodes { id name } } } }'
const createAgent = 'mutation Create($input: CreateAgentInput!) { createAgent(input: $input) { agent { id name } } }'
const testMessage = `
  subscription Try($input: SendTestMessageInput!) {
    testMessage(input: $input) { ... on TestMessageDelta { text } ... on TestMessageEnded { turn { id reply } } }
  }`

const agentInput = { input: { name: 'Made by a client', instructions: 'Be brief.', model: 'sandbox/free' } }
const unknown = { id: '00000000-0000-7000-8000-000000000000' }
/** Its reply comes in many pieces. */
const longMessage = '[[sandbox words=30 pace=5ms]]'

type Viewer = { viewer: { id: string; agents: { nodes: { name: string }[] } } }
type Created = { createAgent: { agent: { id: string } } }
type Message = { testMessage: { text?: string; turn?: { reply: string } } }

const url = () => `${addresses().panel}/graphql`
const authorization = (owner: Owner) => ({ authorization: `Bearer ${owner.accessToken}` })

/** What a subscription brings until its end. */
function collected<Result>(subscribe: (sink: Sink<Result>) => unknown): Promise<Result[]> {
  const results: Result[] = []
  return new Promise((resolve, reject) => {
    const next = (result: Result) => results.push(result)
    subscribe({ next, error: reject, complete: () => resolve(results) })
  })
}

type Sink<Result> = { next: (result: Result) => void; error: (error: unknown) => void; complete: () => void }

/** A reply comes piece by piece, and whole at its end. */
function expectReply(messages: (Message | null | undefined)[]) {
  const events = messages.map((message) => message?.testMessage)
  const pieces = events.flatMap((event) => event?.text ?? [])
  expect(pieces.length).toBeGreaterThan(1)
  expect(events.at(-1)?.turn?.reply).toBe(pieces.join(''))
}

test('urql', async ({ newOwner }) => {
  const owner = await newOwner()
  const options = { url: url(), fetchOptions: () => ({ headers: authorization(owner) }) }
  const exchanges = [cacheExchange, fetchExchange]

  const byGet = await new Urql({ ...options, exchanges }).query(gql(viewerQuery), {}).toPromise()
  expect(byGet.error?.message).toContain('preferGetMethod: false')

  const urql = new Urql({ ...options, exchanges, preferGetMethod: false, fetchSubscriptions: true })
  const created = await urql.mutation<Created>(gql(createAgent), agentInput).toPromise()
  expect(created.error).toBeUndefined()
  const found = await urql.query<Viewer>(gql(viewerQuery), {}).toPromise()
  expect(found.error).toBeUndefined()
  expect(found.data?.viewer.agents.nodes).toMatchObject([{ name: agentInput.input.name }])

  const input = { agentId: created.data?.createAgent.agent.id, message: longMessage }
  const messages = await collected<Message | undefined>(({ next, error, complete }) =>
    urql.subscription<Message>(gql(testMessage), { input }).subscribe((result) => {
      if (result.error) error(result.error)
      if (result.data) next(result.data)
      if (!result.hasNext) complete()
    }),
  )
  expectReply(messages)
})

test('urql with graphql-sse', async ({ newOwner }) => {
  const owner = await newOwner()
  const { id } = await owner.newAgent()
  const sse = createClient({ url: url(), headers: () => authorization(owner) })
  const urql = new Urql({
    url: url(),
    exchanges: [
      cacheExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: sse.subscribe({ query, variables }, sink as Parameters<typeof sse.subscribe>[1]),
          }),
        }),
      }),
    ],
  })
  const messages = await collected<Message>(({ next, error, complete }) =>
    urql
      .subscription<Message>(gql(testMessage), { input: { agentId: id, message: longMessage } })
      .subscribe((result) => {
        if (result.error) error(result.error)
        if (result.data) next(result.data)
        if (result.data?.testMessage.turn) complete()
      }),
  )
  expectReply(messages)
})

test('graphql-sse', async ({ newOwner }) => {
  const owner = await newOwner()
  const { id } = await owner.newAgent()
  const client = createClient({ url: url(), headers: () => authorization(owner) })
  const variables = { input: { agentId: id, message: longMessage } }
  const results = await collected<{ data?: Message | null }>((sink) =>
    client.subscribe<Message>({ query: testMessage, variables }, sink),
  )
  expectReply(results.map(({ data }) => data))
})

test('Apollo Client', async ({ newOwner }) => {
  const owner = await newOwner()
  const apollo = new ApolloClient({
    link: new HttpLink({ uri: url(), headers: authorization(owner) }),
    cache: new InMemoryCache(),
  })
  const created = await apollo.mutate<Created>({ mutation: apolloGql(createAgent), variables: agentInput })
  const agentId = created.data?.createAgent.agent.id ?? ''
  const found = await apollo.query<Viewer>({ query: apolloGql(viewerQuery) })
  expect(found.data?.viewer.agents.nodes).toMatchObject([{ name: agentInput.input.name }])

  // What is missing is null, beside the rest.
  const query = apolloGql('query Missing($id: ID!) { viewer { id } agent(id: $id) { id } }')
  const missing = await apollo.query<Viewer>({ query, variables: unknown, errorPolicy: 'all' })
  expect(missing.data).toMatchObject({ viewer: { id: found.data?.viewer.id }, agent: null })
  expect(missing.error?.message).toBeTruthy()

  const input = { agentId, message: longMessage }
  const results = await collected<{ data?: Message | null }>((sink) =>
    apollo.subscribe<Message>({ query: apolloGql(testMessage), variables: { input } }).subscribe({
      ...sink,
      next: (result) => (result.error ? sink.error(result.error) : sink.next(result)),
    }),
  )
  expectReply(results.map(({ data }) => data))
})

test('Apollo Client tells apart two requests that have one X-Request-Id', async ({ newOwner }) => {
  const owner = await newOwner()
  const { apiKey } = await owner.newExport((await owner.newAgent()).id)
  for (const session of ['First', 'Second']) {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', 'X-Request-Id': 'same' }
    const body = JSON.stringify({ message: 'Hello', session_id: session })
    expect((await fetch(addresses().chat, { method: 'POST', headers, body })).status).toBe(200)
  }
  const apollo = new ApolloClient({
    link: new HttpLink({ uri: url(), headers: authorization(owner) }),
    cache: new InMemoryCache(),
  })
  const query = apolloGql('query Requests { viewer { id requests { nodes { id requestId sessionId } } } }')
  type Requests = { viewer: { requests: { nodes: { requestId: string; sessionId: string }[] } } }
  const { data } = await apollo.query<Requests>({ query })
  expect(data?.viewer.requests.nodes).toMatchObject([
    { requestId: 'same', sessionId: 'Second' },
    { requestId: 'same', sessionId: 'First' },
  ])
})
