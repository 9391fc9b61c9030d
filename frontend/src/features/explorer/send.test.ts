import { HttpResponse, http } from 'msw'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal, type Seen, server } from '@/shared/testing/server'
import { fetcher } from './fetcher'
import { send } from './send'

const never = new AbortController().signal
const query = '{ models { name } }'

afterEach(() => session.forget())

/** A service whose only good token is the one of its last renewal. */
function service() {
  const calls = { renewals: 0, refused: 0 }
  answer({
    models: (_: unknown, seen: Seen) => {
      if (seen.authorization !== `Bearer token-${calls.renewals}`) {
        calls.refused++
        throw refusal('UNAUTHENTICATED', 'The credentials are missing or not valid.')
      }
      return [{ name: 'sandbox/assistant' }]
    },
    renewAccess: () => ({ accessToken: `token-${++calls.renewals}`, expiresAt: inMinutes(15) }),
    signOut: { __typename: 'SignOutPayload' },
  })
  return calls
}

test('a refused token is renewed once, and the operation sent again', async () => {
  const calls = service()
  session.signedIn('refused', inMinutes(15), Date.now())
  expect(await send({ query }, never)).toEqual({ data: { models: [{ name: 'sandbox/assistant' }] } })
  expect(calls).toEqual({ renewals: 1, refused: 1 })
})

test('a refusal after a renewal is shown, and no third try is made', async () => {
  let requests = 0
  session.signedIn('refused', inMinutes(15), Date.now())
  const refuse = () => {
    throw refusal('UNAUTHENTICATED', 'The credentials are missing or not valid.')
  }
  answer({
    models: () => {
      requests++
      return refuse()
    },
    renewAccess: refuse,
  })
  const result = await send({ query }, never)
  expect(result.errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED')
  expect(requests).toBe(1)
})

test('data and errors come as the service gave them', async () => {
  session.signedIn('good', inMinutes(15), Date.now())
  const body = {
    data: { agent: null },
    errors: [{ message: 'No.', extensions: { code: 'NOT_FOUND', requestId: 'r' } }],
  }
  server.use(http.post('*/graphql', () => HttpResponse.json(body)))
  expect(await send({ query: '{ agent(id: "1") { name } }' }, never)).toEqual(body)
})

test.each([
  ['no connection', () => HttpResponse.error(), 'NETWORK'],
  ['a page of a proxy', () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 }), 'UNAVAILABLE'],
  ['an answer that is not GraphQL', () => HttpResponse.json({}), 'BAD_ANSWER'],
  ['null', () => HttpResponse.json(null), 'BAD_ANSWER'],
])('%s is an error that says so', async (_, respond, code) => {
  session.signedIn('good', inMinutes(15), Date.now())
  server.use(http.post('*/graphql', respond))
  const { errors } = await send({ query }, never)
  expect(errors).toEqual([{ message: expect.stringMatching(/\w/), extensions: { code, requestId: expect.anything() } }])
})

test.each([
  ['query A { models { name } }', 'A', 'A'],
  ['query A { models { name } } query B { models { name } }', 'B', 'B'],
  ['{ models { name } }', 'Former', undefined],
  ['query A { models {', 'A', undefined],
])('%s is sent with the name %s only if it has such an operation', async (document, name, sent) => {
  session.signedIn('good', inMinutes(15), Date.now())
  let seen: unknown
  server.use(
    http.post('*/graphql', async ({ request }) => {
      seen = await request.json()
      return HttpResponse.json({ data: {} })
    }),
  )
  await send({ query: document, operationName: name, variables: { a: 1 } }, never)
  expect(seen).toEqual({ query: document, variables: { a: 1 }, ...(sent ? { operationName: sent } : {}) })
})

test('after a field that changes who is signed in, the cookie is asked again', async () => {
  const calls = service()
  session.signedIn('token-0', inMinutes(15), Date.now())
  await send({ query: 'mutation { signOut { __typename } }' }, never)
  await send({ query }, never)
  expect(calls).toEqual({ renewals: 1, refused: 0 })
})

test('letting go of an operation ends its request, and nothing is heard any more', async () => {
  session.signedIn('good', inMinutes(15), Date.now())
  let reached: (signal: AbortSignal) => void
  const arrived = new Promise<AbortSignal>((resolve) => {
    reached = resolve
  })
  server.use(
    http.post('*/graphql', async ({ request }) => {
      reached(request.signal)
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
      return HttpResponse.json({ data: {} })
    }),
  )
  const heard: unknown[] = []
  const observable = fetcher({ query }) as { subscribe: (observer: object) => { unsubscribe: () => void } }
  const tell = (what: unknown) => heard.push(what)
  const subscription = observable.subscribe({ next: tell, error: tell, complete: () => tell('complete') })
  const signal = await arrived
  subscription.unsubscribe()
  await expect.poll(() => signal.aborted).toBe(true)
  expect(heard).toEqual([])
})
