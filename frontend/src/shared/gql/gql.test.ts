import { graphql, HttpResponse, http } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import { TypedDocumentString } from '@/gql/graphql'
import { answer, inMinutes, refusal, type Seen, server } from '@/shared/testing/server'
import { serverNow } from '@/shared/time'
import { ApiError } from './errors'
import { gql, gqlQuery } from './gql'
import { makeQueryClient } from './queryClient'
import { Session, type SessionEvent, session } from './session'

type Models = { models: { name: string }[] }
const ModelsDocument = new TypedDocumentString<Models, Record<string, never>>('query Models { models { name } }')
const SignOutDocument = new TypedDocumentString<{ deleteAgent: { deletedAgentId: string } }, Record<string, never>>(
  'mutation Delete { deleteAgent(input: { id: "1" }) { deletedAgentId } }',
)
const models: Models['models'] = [{ name: 'sandbox/assistant' }]

afterEach(() => session.forget())

/** A service whose only good token is the one of its last renewal. */
function service(options: { renewals?: 'refused' } = {}) {
  const calls = { renewals: 0, served: 0, refused: 0 }
  const guarded = (_: unknown, seen: Seen) => {
    if (seen.authorization !== `Bearer token-${calls.renewals}` || calls.renewals === 0) {
      calls.refused++
      throw refusal('UNAUTHENTICATED', 'The credentials are missing or not valid.')
    }
    calls.served++
    return models
  }
  answer({
    models: guarded,
    renewAccess: async () => {
      if (options.renewals === 'refused') throw refusal('UNAUTHENTICATED', 'The credentials are missing or not valid.')
      calls.renewals++
      await Promise.resolve()
      return { accessToken: `token-${calls.renewals}`, expiresAt: inMinutes(15) }
    },
  })
  return calls
}

function heard(): SessionEvent[] {
  const events: SessionEvent[] = []
  const stop = session.subscribe((event) => events.push(event))
  cleanups.push(stop)
  return events
}
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const stop of cleanups.splice(0)) stop()
})

/** The session of another tab of the same browser. */
const otherTab = () => new Session()

test('acceptance 15: ten requests at once with a token that has run out make one renewal', async () => {
  const calls = service()
  session.signedIn('old', inMinutes(-1), Date.now())
  const answers = await Promise.all(Array.from({ length: 10 }, () => gql(ModelsDocument)))
  expect(answers).toEqual(Array(10).fill({ models }))
  expect(calls).toEqual({ renewals: 1, served: 10, refused: 0 })
})

test('acceptance 15: ten requests at once with a token that the server refuses make one renewal', async () => {
  const calls = service()
  session.signedIn('refused', inMinutes(15), Date.now())
  await Promise.all(Array.from({ length: 10 }, () => gql(ModelsDocument)))
  expect(calls.renewals).toBe(1)
  expect(calls.served).toBe(10)
})

test('a token is renewed before it runs out, by the clock of the server', async () => {
  const calls = service()
  // This machine is two hours ahead: by its own clock every token has run out.
  const serverTime = Date.now() - 2 * 3600_000
  session.signedIn('x', new Date(serverTime + 15 * 60_000).toISOString(), serverTime)
  await expect(session.token()).resolves.toBe('x')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 14.5 * 60_000 })
  await expect(session.token()).resolves.toBe('token-1')
  expect(calls.renewals).toBe(1)
})

test('acceptance 15: a refused renewal ends the session once and is tried no more than once for all', async () => {
  service({ renewals: 'refused' })
  session.signedIn('old', inMinutes(-1), Date.now())
  const events = heard()
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => gql(ModelsDocument)))
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'UNAUTHENTICATED' } })
  expect(events).toEqual(['expired'])
})

test('a rejected renewal reports the session as expired, even if only the cookie was known', async () => {
  const options: { renewals?: 'refused' } = {}
  const calls = service(options)
  const events = heard()
  await expect(gql(ModelsDocument)).resolves.toEqual({ models }) // as after a page load: the cookie brought the token
  expect(events).toEqual([])
  calls.renewals++ // the token is good no more: the sign-in was ended somewhere else
  options.renewals = 'refused'
  await expect(gql(ModelsDocument)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(events).toEqual(['expired'])
  await expect(session.isSignedIn()).resolves.toBe(false)
  expect(events).toEqual(['expired'])
})

test('a sign-out in another tab is reported, even if only the cookie was known', async () => {
  const calls = service()
  const events = heard()
  await gql(ModelsDocument)
  const tab = otherTab()
  tab.signedOut()
  await vi.waitFor(() => expect(events).toEqual(['elsewhere']))
  await expect(gql(ModelsDocument)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(events).toEqual(['elsewhere'])
  expect(calls).toEqual({ renewals: 1, served: 1, refused: 0 }) // nobody was asked again
})

test('the first renewal of a page that another tab overtakes by signing out brings no sign-in', async () => {
  let answered = () => {}
  const held = new Promise<void>((resolve) => {
    answered = resolve
  })
  let asked = false
  answer({
    renewAccess: async () => {
      asked = true
      await held
      return { accessToken: 'too late', expiresAt: inMinutes(15) }
    },
  })
  const events = heard()
  const signedIn = session.isSignedIn()
  await vi.waitFor(() => expect(asked).toBe(true))
  otherTab().signedOut()
  await vi.waitFor(() => expect(events).toEqual(['elsewhere']))
  answered()
  await expect(signedIn).resolves.toBe(false)
  await expect(session.isSignedIn()).resolves.toBe(false)
})

test('a token that another tab renewed before the sign-out, and tells of after it, does not bring the sign-in back', async () => {
  service({ renewals: 'refused' })
  session.signedIn('t', inMinutes(15), Date.now())
  session.signedOut()
  const [late, witness] = [new BroadcastChannel('agentchat-session'), new BroadcastChannel('agentchat-session')]
  const heardByAll = new Promise((resolve) => witness.addEventListener('message', resolve))
  late.postMessage({ kind: 'renewed', access: { token: 'dead', renewAt: Date.now() + 60_000 } })
  await heardByAll
  for (const channel of [late, witness]) channel.close()
  await expect(session.isSignedIn()).resolves.toBe(false)
})

test('a renewal that fails for want of a connection ends nothing', async () => {
  server.use(http.post('*/graphql', () => HttpResponse.error()))
  session.signedIn('old', inMinutes(-1), Date.now())
  const events = heard()
  await expect(gql(ModelsDocument)).rejects.toMatchObject({
    code: 'NETWORK',
    requestId: expect.stringMatching(/^panel-[0-9a-f]{32}$/),
  })
  expect(events).toEqual([])
  service()
  await expect(gql(ModelsDocument)).resolves.toEqual({ models })
})

test('the caller sets the timeout', async () => {
  session.signedIn('t', inMinutes(15), Date.now())
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  server.use(
    http.post('*/graphql', async () => {
      await released
      return HttpResponse.json({ data: { models } })
    }),
  )
  await expect(gql(ModelsDocument, undefined, { timeoutMs: 1 })).rejects.toMatchObject({
    code: 'TIMEOUT',
    requestId: expect.stringMatching(/^panel-[0-9a-f]{32}$/),
  })
  const patient = gql(ModelsDocument, undefined, { timeoutMs: 60_000 })
  release()
  await expect(patient).resolves.toEqual({ models })
})

test('an error carries its code, fields, request id, waiting time and reason', async () => {
  const fields = [{ path: 'name', reason: 'blank', message: 'Give a name.' }]
  answer({
    renewAccess: { accessToken: 'a', expiresAt: inMinutes(15) },
    deleteAgent: () => {
      throw refusal('BAD_USER_INPUT', 'Give a name.', { fields, retryAfterSeconds: 7, reason: 'why' })
    },
  })
  const error = await gql(SignOutDocument).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    code: 'BAD_USER_INPUT',
    fields,
    requestId: 'req-1',
    retryAfterSeconds: 7,
    reason: 'why',
    message: 'Give a name.',
  })
})

test.each([
  [502, '<h1>Bad gateway</h1>', 'UNAVAILABLE'],
  [200, '<html>a portal</html>', 'BAD_ANSWER'],
  [200, 'null', 'BAD_ANSWER'],
  [200, '{}', 'BAD_ANSWER'],
])('status %i with %s is %s, named by an id', async (status, body, code) => {
  session.signedIn('t', inMinutes(15), Date.now())
  server.use(http.post('*/graphql', () => new HttpResponse(body, { status, headers: { 'X-Request-Id': 'seen' } })))
  await expect(gql(ModelsDocument)).rejects.toMatchObject({ code, requestId: 'seen' })
})

test('queries are tried again when the failure may pass, mutations never', async () => {
  let calls = 0
  session.signedIn('t', inMinutes(15), Date.now())
  const failTwice = (): Response => {
    calls++
    if (calls < 3) return new HttpResponse(null, { status: 503 })
    return HttpResponse.json({ data: { models } })
  }
  // By name: a page of an earlier test may still ask for something.
  server.use(graphql.query('Models', failTwice), graphql.mutation('Delete', failTwice))
  const client = makeQueryClient()
  await expect(
    client.fetchQuery({ ...gqlQuery('models', ModelsDocument), retry: client.getDefaultOptions().queries?.retry }),
  ).resolves.toEqual({ models })
  expect(calls).toBe(3)
  calls = 0
  const mutation = client.getMutationCache().build(client, { mutationFn: () => gql(SignOutDocument) })
  await expect(mutation.execute(undefined)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(calls).toBe(1)
})

test('the token is kept nowhere but in memory', async () => {
  service()
  session.signedIn('secret-token', inMinutes(15), Date.now())
  await gql(ModelsDocument)
  expect(JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie).not.toMatch(/token/)
})

test('every answer, an error too, tells the time of the server', async () => {
  session.signedIn('t', inMinutes(15), Date.now())
  const time = Date.UTC(2040, 0, 31)
  const answerAt = (date: object) =>
    server.use(
      http.post('*/graphql', () => HttpResponse.json({ errors: [{ message: 'No.' }] }, { headers: { ...date } })),
    )
  answerAt({ Date: new Date(time).toUTCString() })
  await expect(gql(ModelsDocument)).rejects.toThrow()
  expect(Math.abs(serverNow() - time)).toBeLessThan(5_000)
  answerAt({})
  await expect(gql(ModelsDocument)).rejects.toThrow()
  expect(Math.abs(serverNow() - Date.now())).toBeLessThan(5_000)
})
