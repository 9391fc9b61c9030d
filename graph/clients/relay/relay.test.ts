import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { createClient } from 'graphql-sse'
import relay, { type FetchFunction, type SubscribeFunction } from 'relay-runtime'
import Everything, { type documentsEverythingQuery } from './__generated__/documentsEverythingQuery.graphql.js'
import Create, { type documentsCreateMutation } from './__generated__/documentsCreateMutation.graphql.js'
import Delete, { type documentsDeleteMutation } from './__generated__/documentsDeleteMutation.graphql.js'
import MessageDocument, { type documentsMessageSubscription } from './__generated__/documentsMessageSubscription.graphql.js'
import Missing, { type documentsMissingQuery } from './__generated__/documentsMissingQuery.graphql.js'
import Page, { type documentsPageQuery } from './__generated__/documentsPageQuery.graphql.js'
import Upload, { type documentsUploadMutation } from './__generated__/documentsUploadMutation.graphql.js'
import ViewerDocument, { type documentsViewerQuery } from './__generated__/documentsViewerQuery.graphql.js'
import * as support from '../support.js'

// Relay warns of ids that are not unique, of fields that are missing in a response, and of a store that does not fit.
const warnings: unknown[] = []
console.error = console.warn = (...words: unknown[]) => void warnings.push(words)
afterEach(() => assert.deepEqual(warnings.splice(0), []))

const send: FetchFunction = async ({ text: query }, variables, _, uploadables) => {
  const init: RequestInit = { method: 'POST', headers: { ...support.headers, 'Content-Type': 'application/json' } }
  init.body = JSON.stringify({ query, variables })
  if (uploadables) {
    const form = new FormData()
    form.append('operations', init.body)
    form.append('map', JSON.stringify({ 0: ['variables.input.file'] }))
    form.append('0', uploadables[0] as Blob)
    Object.assign(init, { headers: support.headers, body: form })
  }
  return (await fetch(support.url, init)).json()
}

const sse = createClient({ url: support.url, headers: support.headers })
const follow: SubscribeFunction = ({ text: query }, variables) =>
  relay.Observable.create((sink) => sse.subscribe({ query: query ?? '', variables }, sink as Parameters<typeof sse.subscribe>[1]))

const newEnvironment = () =>
  new relay.Environment({ network: relay.Network.create(send, follow), store: new relay.Store(new relay.RecordSource()) })

const create = (environment: relay.Environment, variables: documentsCreateMutation['variables']) =>
  new Promise<documentsCreateMutation['response']>((resolve, onError) =>
    relay.commitMutation<documentsCreateMutation>(environment, { mutation: Create, variables, onCompleted: resolve, onError }),
  )

test('Relay', async () => {
  const environment = newEnvironment()
  const viewer = await relay.fetchQuery<documentsViewerQuery>(environment, ViewerDocument, {}).toPromise()
  assert(viewer?.viewer?.id)

  const [first, second] = support.twoAgents('Relay')
  const created = await create(environment, first)
  await create(environment, second)

  // The second page joins the first one in the store.
  const variables = { name: first.input.name }
  await relay.fetchQuery<documentsPageQuery>(environment, Page, variables).toPromise()
  const operation = relay.createOperationDescriptor(Page, variables)
  environment.retain(operation)
  const page = () => environment.lookup(operation.fragment).data as documentsPageQuery['response'] & {
    agents: { pageInfo: { hasNextPage: boolean; endCursor: string } }
  }
  assert.equal(page().agents.edges.length, 1)
  const after = page().agents.pageInfo.endCursor
  await relay.fetchQuery<documentsPageQuery>(environment, Page, { ...variables, after }).toPromise()
  assert.equal(page().agents.edges.length, 2)
  assert.equal(page().agents.pageInfo.hasNextPage, false)
  assert.equal(environment.getStore().getSource().get(created.createAgent.agent.id)?.name, first.input.name)

  await new Promise<unknown>((onCompleted, onError) => {
    const input = { id: created.createAgent.agent.id }
    relay.commitMutation<documentsDeleteMutation>(environment, { mutation: Delete, variables: { input }, onCompleted, onError })
  })
  assert.equal(environment.getStore().getSource().get(created.createAgent.agent.id), null)

  const missing = await relay.fetchQuery<documentsMissingQuery>(environment, Missing, support.unknown).toPromise()
  assert.deepEqual([missing?.viewer?.id, missing?.agent], [viewer.viewer.id, null])
  await assert.rejects(create(environment, { input: { name: '' } }), /name/i)
})

test('Relay with a file', async () => {
  const environment = newEnvironment()
  const { createAgent } = await create(environment, support.twoAgents('Relay')[0])
  const uploaded = await new Promise<documentsUploadMutation['response']>((resolve, onError) =>
    relay.commitMutation<documentsUploadMutation>(environment, {
      mutation: Upload,
      variables: support.fileInput(createAgent.agent.id, null),
      uploadables: { 0: support.file() },
      onCompleted: resolve,
      onError,
    }),
  )
  assert.equal(uploaded.addKnowledgeFile.source.name, 'returns.txt')
})

test('Relay with a subscription, and everything of the account', async () => {
  const environment = newEnvironment()
  const { createAgent } = await create(environment, support.twoAgents('Relay')[0])
  const variables = support.messageInput(createAgent.agent.id)
  const messages = await support.collected<support.Message>(({ next, error, complete }) =>
    relay.requestSubscription<documentsMessageSubscription>(environment, {
      subscription: MessageDocument,
      variables,
      onNext: (message) => next(message as support.Message),
      onError: error,
      onCompleted: complete,
    }),
  )
  support.checkReply(messages)
  assert(await relay.fetchQuery<documentsEverythingQuery>(environment, Everything, {}).toPromise())
})
