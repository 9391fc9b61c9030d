import { afterEach, expect, test, vi } from 'vitest'
import { TypedDocumentString } from '@/gql/graphql'
import { answer, inMinutes, refusal, type Seen } from '@/shared/testing/server'
import { stubUploads } from '@/testing/uploads'
import { session } from './session'
import { upload } from './upload'

type Added = { addKnowledgeFile: { source: { id: string } } }
type Input = { agentId: string; name: string; file: Blob }
const AddFile = new TypedDocumentString<Added, { input: Input }>(
  'mutation Add($input: AddKnowledgeFileInput!) { addKnowledgeFile(input: $input) { source { id } } }',
)
const input = { agentId: 'a1', name: 'Terms.txt', file: new File(['Within 30 days.'], 'Terms.txt') }

afterEach(() => {
  session.forget()
  vi.unstubAllGlobals()
})

const send = (signal = new AbortController().signal, onProgress: (part: number) => void = () => {}) =>
  upload(AddFile, input, { signal, onProgress })

test('the file is the third part of a multipart body, and a rejected token is renewed once', async () => {
  const requests = stubUploads()
  const files: unknown[] = []
  answer({
    renewAccess: () => ({ accessToken: 'good', expiresAt: inMinutes(15) }),
    addKnowledgeFile: ({ input }: { input: Input }, { authorization }: Seen) => {
      if (authorization !== 'Bearer good') throw refusal('UNAUTHENTICATED', 'No.')
      files.push(input.file)
      return { source: { id: 's1' } }
    },
  })
  session.signedIn('old', inMinutes(15), Date.now())
  expect(await send()).toEqual({ addKnowledgeFile: { source: { id: 's1' } } })
  expect(files).toEqual([{ name: 'Terms.txt', size: 15 }])
  expect(requests.map(({ headers }) => headers.Authorization)).toEqual(['Bearer old', 'Bearer good'])
  const { body } = requests[1] as (typeof requests)[number]
  expect([...body.keys()]).toEqual(['operations', 'map', '0'])
  expect(JSON.parse(String(body.get('operations'))).variables).toEqual({
    input: { agentId: 'a1', name: 'Terms.txt', file: null },
  })
  expect(JSON.parse(String(body.get('map')))).toEqual({ 0: ['variables.input.file'] })
})

test('progress is told, and failures are errors of the panel', async () => {
  const requests = stubUploads({ atOnce: false })
  session.signedIn('good', inMinutes(15), Date.now())
  const parts: number[] = []
  const sent = async (signal?: AbortSignal) => {
    const result = send(signal, (part) => parts.push(part))
    result.catch(() => undefined)
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    return { result, request: requests.pop() as (typeof requests)[number] }
  }
  const broken = await sent()
  broken.request.progress(0.25)
  broken.request.progress(1)
  broken.request.onerror()
  await expect(broken.result).rejects.toMatchObject({ code: 'NETWORK' })
  expect(parts).toEqual([0.25, 1])

  const slow = await sent()
  expect(slow.request.timeout).toBeGreaterThan(60_000)
  slow.request.ontimeout()
  await expect(slow.result).rejects.toMatchObject({ code: 'TIMEOUT' })

  const proxy = await sent()
  proxy.request.status = 413
  proxy.request.responseText = '<html>'
  proxy.request.onload()
  await expect(proxy.result).rejects.toMatchObject({ code: 'BAD_ANSWER' })

  const control = new AbortController()
  const cancelled = await sent(control.signal)
  control.abort()
  await expect(cancelled.result).rejects.toThrow(/abort/)
  expect(cancelled.request.aborted).toBe(true)
  await expect(send(control.signal)).rejects.toThrow(/abort/)
  expect(requests).toEqual([])
})
