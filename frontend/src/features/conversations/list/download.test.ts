import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes } from '@/shared/testing/server'
import { conversationsCsv, conversationsJsonl } from './download'

const calls = [
  { id: 'act_1', name: 'order_status', arguments: '{"order":"A-1"}', state: 'ANSWERED' },
  { id: 'act_2', name: 'refund', arguments: '{}', state: 'ANSWERED' },
]
const results = [
  { callId: 'act_1', name: 'order_status', result: '{"n":12345678901234567890}', error: null },
  { callId: 'act_2', name: 'refund', result: null, error: 'Too late.' },
]
const output = '{"state":"shipped"}'
const ratedAt = '2026-12-01T09:00:00Z'
const ratings = [
  { kind: 'CALLER', value: 'DOWN', note: '=HYPERLINK("x")\n"quoted", and more', ratedBy: null, ratedAt },
  { kind: 'TEAM', value: 'UP', note: '', ratedBy: { kind: 'USER', name: 'Ada' }, ratedAt },
]

beforeEach(() => {
  session.signedIn('good', inMinutes(15), Date.now())
  const pageInfo = { hasNextPage: false, hasPreviousPage: false }
  const turns = [
    { message: 'Where is it?', reply: 'Let me look.', finishReason: 'actions', actionCalls: calls },
    { message: '', actionResults: results, reply: output, output, finishReason: 'stop', fallback: true, ratings },
    { message: 'And now?', state: 'FAILED', errorCode: 'invalid_output', misfit: 'no JSON' },
  ].map((turn, at) => ({
    id: `t${at + 1}`,
    number: at + 1,
    createdAt: inMinutes(-5),
    state: 'ANSWERED',
    requestId: 'req-1',
    actionCalls: [],
    actionResults: [],
    variables: [],
    model: 'openai/gpt',
    fallback: false,
    credits: 5,
    ...turn,
  }))
  const conversation = {
    id: 'c1',
    sessionId: 's',
    source: 'API',
    lastTurnAt: inMinutes(-5),
    agent: { id: 'a1', name: 'Shop help' },
    turns: { edges: [], nodes: turns, pageInfo },
  }
  const conversations = { edges: [], nodes: [conversation], pageInfo }
  answer({ viewer: { id: '1', createdAt: inMinutes(-90), conversations } })
})

afterEach(() => session.forget())

const control = () => ({ onProgress: () => {}, signal: new AbortController().signal })

test('JSONL has the actions that a reply asks for, their results, its output, and what did not fit', async () => {
  const lines = (await (await conversationsJsonl({}, control())).text()).trimEnd().split('\n')
  const [first, second, third] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(first).toMatchObject({ reply: 'Let me look.', actionCalls: calls, actionResults: [], output: null })
  expect(second).toMatchObject({
    message: '',
    actionCalls: [],
    actionResults: results,
    reply: output,
    output,
    fallback: true,
    ratings: ratings.map((rating) => ({ ...rating, ratedBy: rating.ratedBy && { name: 'Ada' } })),
  })
  expect(third).toMatchObject({ state: 'FAILED', reply: null, misfit: 'no JSON', fallback: false })
})

test('CSV has them, too: actions as JSON, and each value in the column of its name', async () => {
  const text = await (await conversationsCsv({}, control())).text()
  const records = text.replace('\uFEFF', '').trimEnd().split('\r\n')
  const [names = [], ...rows] = records.map((record) =>
    [...record.matchAll(/"((?:[^"]|"")*)"(?:,|$)|([^,]*)(?:,|$)/g)].map(([, quoted, plain]) =>
      (quoted ?? plain ?? '').replaceAll('""', '"'),
    ),
  )
  const [first, second, third] = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])))
  expect(first).toMatchObject({
    actionCalls: JSON.stringify(calls),
    actionResults: '[]',
    output: '',
    fallback: 'false',
  })
  expect(second).toMatchObject({ actionResults: JSON.stringify(results), actionCalls: '[]', output, fallback: 'true' })
  expect(second).toMatchObject({
    'User rating': 'DOWN',
    'User note': `'${ratings[0]?.note}`,
    'Team rating': 'UP',
    'Team note': '',
  })
  expect(first).toMatchObject({ 'User rating': '', 'User note': '', 'Team rating': '', 'Team note': '' })
  expect(third).toMatchObject({ errorCode: 'invalid_output', reply: '', misfit: 'no JSON', credits: '5' })
})
