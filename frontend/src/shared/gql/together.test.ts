import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TypedDocumentString } from '@/gql/graphql'
import { answer, inMinutes, refusal, server } from '@/shared/testing/server'
import { gql } from './gql'
import { session } from './session'
import { holdQueries, releaseQueries } from './together'

const NamesDocument = new TypedDocumentString<{ models: { name: string }[] }, Record<string, never>>(`
    query Names {
  models {
    ...Name
  }
}
    fragment Name on Model {
  name
}`)
const AgentDocument = new TypedDocumentString<{ one: { id: string } }, { id: string }>(`
    query Agent($id: ID!) {
  one: agent(id: $id) {
    id
  }
}
    `)

let sent: string[] = []
beforeEach(() => {
  sent = []
  session.signedIn('good', inMinutes(15), Date.now())
  server.events.on('request:start', async ({ request }) => {
    sent.push(((await request.clone().json()) as { query: string }).query)
  })
})
afterEach(() => {
  session.forget()
  server.events.removeAllListeners()
})

const agent = ({ id }: { id: string }) => {
  if (id === 'gone') throw refusal('NOT_FOUND', 'There is no such agent.')
  return { id }
}
const models = [{ name: 'sandbox/assistant' }]

test('queries of the same moment are one document; each gets its own data or error', async () => {
  answer({ models, agent })
  const [names, first, gone, second] = await Promise.allSettled([
    gql(NamesDocument),
    gql(AgentDocument, { id: 'a1' }),
    gql(AgentDocument, { id: 'gone' }),
    gql(AgentDocument, { id: 'a2' }),
  ])
  expect(sent).toHaveLength(1)
  expect(names).toMatchObject({ value: { models } })
  expect(first).toMatchObject({ value: { one: { id: 'a1' } } })
  expect(gone).toMatchObject({ reason: { code: 'NOT_FOUND', message: 'There is no such agent.' } })
  expect(second).toMatchObject({ value: { one: { id: 'a2' } } })
})

test('a document that is refused because of one query is sent again as its queries', async () => {
  answer({ models, agent })
  server.use(
    http.post('*/graphql', async ({ request }) => {
      const { query } = (await request.clone().json()) as { query: string }
      if (!query.includes('Names')) return undefined // answered as above
      return HttpResponse.json({ errors: [{ message: 'For owners.', extensions: { code: 'FORBIDDEN' } }] })
    }),
  )
  const outcomes = await Promise.allSettled([gql(NamesDocument), gql(AgentDocument, { id: 'a1' })])
  expect(outcomes).toMatchObject([{ reason: { code: 'FORBIDDEN' } }, { value: { one: { id: 'a1' } } }])
})

test('a query whose reader has left does not keep the others', async () => {
  answer({ models, agent })
  const left = new AbortController()
  const outcomes = Promise.allSettled([
    gql(NamesDocument, undefined, { signal: left.signal }),
    gql(AgentDocument, { id: 'a1' }),
  ])
  left.abort('left')
  expect(await outcomes).toMatchObject([{ reason: 'left' }, { value: { one: { id: 'a1' } } }])
  expect(sent.join()).not.toContain('Names')
})

test('held queries wait until they are released', async () => {
  answer({ models, agent })
  holdQueries()
  const names = gql(NamesDocument)
  await new Promise((resolve) => setTimeout(resolve, 10)) // more than another query would need
  expect(sent).toEqual([])
  const found = gql(AgentDocument, { id: 'a1' })
  await session.token()
  releaseQueries()
  await Promise.all([names, found])
  expect(sent).toHaveLength(1)
})
