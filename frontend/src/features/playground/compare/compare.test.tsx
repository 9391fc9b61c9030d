import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { SendTestMessageInput } from '@/gql/graphql'
import { session } from '@/shared/gql'
import { refusal } from '@/shared/testing/server'
import { version } from '@/shared/testing/versions'
import { write } from '@/testing/write'
import { address, event, renderTry, send, service } from '../testing'
import { betterFigures } from './betterFigures'
import { exchangesOf } from './exchanges'

afterEach(() => session.forget())

const big = {
  name: 'demo/big',
  label: 'Big',
  provider: 'demo',
  creditsPerMessage: 5,
  available: true,
  contextWindow: 8192,
  sandbox: false,
}
const comparing = `${address}?try=compare`
const side = async (name: 'Left' | 'Right') => within(await screen.findByRole('region', { name }))
const isLeft = (input: SendTestMessageInput) => input.version !== undefined && input.version !== null

test('a message goes to both sides, each with its own version, model, session and key', async () => {
  const seen = service({ models: [big], credits: 100 })
  const { router } = renderTry()
  await userEvent.click(await screen.findByRole('button', { name: 'Compare' }))
  // Compares the published version with the draft.
  await waitFor(() => expect(router.state.location.search).toEqual({ try: 'compare', version: 3 }))
  await userEvent.click(await screen.findByRole('combobox', { name: 'Right: model' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Big' }))
  expect(await screen.findByText(/Sending to both costs 7 credits: 2 \+ 5\./)).toBeTruthy()
  for (const text of ['one', 'two']) {
    await send(text)
    await waitFor(() => expect(screen.getAllByText(text, { selector: 'strong' })).toHaveLength(2))
  }
  expect(screen.getAllByRole('article')).toHaveLength(2)
  const [left, right] = [seen.sent.filter(isLeft), seen.sent.filter((input) => !isLeft(input))]
  expect(left).toMatchObject([
    { message: 'one', version: 3 },
    { message: 'two', version: 3 },
  ])
  expect(left.every(({ model }) => model === undefined)).toBe(true)
  expect(right).toMatchObject([
    { message: 'one', model: 'demo/big' },
    { message: 'two', model: 'demo/big' },
  ])
  const sessions = [left, right].map((sent) => new Set(sent.map(({ sessionId }) => sessionId)))
  expect(sessions.map(({ size }) => size)).toEqual([1, 1])
  const [mine, others] = sessions.map((ids) => [...ids][0])
  expect(mine).not.toBe(others)
  expect(new Set(seen.sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4)
  expect(router.state.location.search).toMatchObject({ session: mine, otherSession: others, otherModel: 'demo/big' })

  await userEvent.click(screen.getByRole('button', { name: 'Stop comparing' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ try: 'window', version: 3, session: mine }))
})

test('the better figures are marked in words too', async () => {
  service({
    credits: 100,
    send: (input) =>
      isLeft(input)
        ? { credits: 5, durationMs: 600, inputTokens: 100, outputTokens: 10 }
        : { credits: 1, durationMs: 1_300, inputTokens: 100, outputTokens: 9 },
  })
  renderTry(`${comparing}&version=3`)
  await send('hello')
  const better = async (name: 'Left' | 'Right') =>
    (await side(name)).getAllByText('(better)').map((mark) => mark.parentElement?.textContent)
  await waitFor(async () => expect(await better('Left')).toEqual(['600 ms (better)']))
  await waitFor(async () =>
    expect(await better('Right')).toEqual(['1 credit (better)', '100 tokens in, 9 out (better)']),
  )
})

test('a side that fails says so on its own side, and is retried alone', async () => {
  let failed = false
  const seen = service({
    credits: 100,
    send: (input) => {
      if (isLeft(input) || failed) return {}
      failed = true
      throw refusal('RATE_LIMITED', 'Too many test messages at once.')
    },
  })
  renderTry(`${comparing}&version=3`)
  await send('hello')
  const right = await side('Right')
  expect(await right.findByText(/Too many test messages/)).toBeTruthy()
  const left = await side('Left')
  expect(await left.findByText('hello', { selector: 'strong' })).toBeTruthy()
  expect(left.queryByRole('button', { name: 'Retry' })).toBeNull()
  await userEvent.click(right.getByRole('button', { name: 'Retry' }))
  expect(await (await side('Right')).findByText('hello', { selector: 'strong' })).toBeTruthy()
  expect(screen.getAllByRole('article')).toHaveLength(1)
  const keys = seen.sent.filter((input) => !isLeft(input)).map(({ idempotencyKey }) => idempotencyKey)
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})

test('Stop stops both, and says what the replies that have begun cost; Escape does not stop anything', async () => {
  const seen = service({
    credits: 100,
    models: [big],
    reply: async function* (input) {
      if (!isLeft(input)) yield event('Delta', { text: 'It begins' })
      await new Promise(() => undefined)
    },
  })
  const { router } = renderTry(`${comparing}&version=3&otherModel=demo/big`)
  await send('hello')
  const stop = await screen.findByRole('button', { name: 'Stop and keep this part (5 credits)' })
  await userEvent.keyboard('{Escape}')
  expect(router.state.location.search).toHaveProperty('try', 'compare')
  expect(screen.getByRole('button', { name: 'Stop comparing' })).toHaveProperty('disabled', true)
  await userEvent.click(stop)
  await waitFor(() => expect(screen.getAllByText('Stopping…')).toHaveLength(2))
  expect(seen.sent).toHaveLength(2)
})

test('credits have to cover both messages', async () => {
  const seen = service({ credits: 3 })
  renderTry(`${comparing}&version=3`)
  expect(await screen.findByText(/A message to both sides costs 4 credits. You have 3\./)).toBeTruthy()
  await send('hello')
  expect(seen.sent).toEqual([])
})

test('a side gets only the values that it declares, and one side’s required value is asked for', async () => {
  const variable = (name: string, required: boolean) => ({ name, description: '', required, defaultValue: null })
  const seen = service({
    credits: 100,
    agent: { variables: [variable('plan', false), variable('tone', false)] },
    versions: [version(3, { variables: [variable('plan', true)] })],
  })
  renderTry(`${comparing}&version=3`)
  expect(await screen.findByText('Missing value: plan')).toBeTruthy()
  const values = within(screen.getByRole('region', { name: 'Test values' }))
  await write(values.getByLabelText(/^plan/), 'gold')
  await write(values.getByLabelText(/^tone/), 'stern')
  await send('hello')
  await waitFor(() => expect(seen.sent).toHaveLength(2))
  const plan = { name: 'plan', value: 'gold' }
  expect(seen.sent.find(isLeft)?.variables).toEqual([plan])
  expect(seen.sent.find((input) => !isLeft(input))?.variables).toEqual([plan, { name: 'tone', value: 'stern' }])
})

test('a model that is not offered is said, and nothing is sent', async () => {
  const seen = service({ credits: 100 })
  renderTry(`${comparing}&version=3&model=demo/gone`)
  expect(await screen.findByText('demo/gone is unavailable right now')).toBeTruthy()
  await send('hello')
  expect(seen.sent).toEqual([])
})

test('results go on with their own side alone, and stand beside those of the other', async () => {
  const seen = service({
    credits: 100,
    models: [big],
    send: (input) => {
      const name = isLeft(input) ? 'left' : 'right'
      if (input.actionResults) return { reply: `Done on the ${name}.` }
      return { reply: '', actionCalls: [{ id: `act_${name}`, name: 'wait', arguments: '{}', state: 'OPEN' }] }
    },
  })
  renderTry(`${comparing}&version=3&otherModel=demo/big`)
  await send('hello')
  for (const name of ['Right', 'Left'] as const) {
    const [region] = await screen.findAllByRole('region', { name })
    const form = within(
      await within(region as HTMLElement).findByRole('form', { name: 'Results of the waiting actions' }),
    )
    await userEvent.click(form.getByRole('textbox', { name: 'Result of wait' }))
    await userEvent.paste(`"${name}"`)
    await userEvent.click(form.getByRole('button', { name: 'Send result' }))
    expect(await screen.findByText(`Done on the ${name.toLowerCase()}.`)).toBeTruthy()
  }
  const [left, right] = [seen.sent.filter(isLeft), seen.sent.filter((input) => !isLeft(input))]
  expect(left[1]).toMatchObject({ version: 3, actionResults: [{ id: 'act_left', result: '"Left"' }] })
  expect(right[1]).toMatchObject({ model: 'demo/big', actionResults: [{ id: 'act_right', result: '"Right"' }] })
  expect([left, right].map((sent) => new Set(sent.map(({ sessionId }) => sessionId)).size)).toEqual([1, 1])
  const rows = screen.getAllByRole('article').map((row) => row.textContent)
  expect(rows).toHaveLength(2)
  expect(rows[1]).toContain('Done on the left.')
  expect(rows[1]).toContain('Done on the right.')
})

test.each([
  [
    'lower is better',
    {},
    { credits: 1, durationMs: 1_000, outputTokens: 4 },
    { credits: true, tokens: true, time: true },
  ],
  ['the same is not', {}, {}, { credits: false, tokens: false, time: false }],
  ['nor what looks the same', {}, { durationMs: 1_990 }, { credits: false, tokens: false, time: false }],
  [
    'nor a stopped reply',
    {},
    { credits: 1, durationMs: 9, finishReason: 'stopped' },
    { credits: false, tokens: false, time: false },
  ],
  ['nor a failed one', { state: 'FAILED' as const }, { credits: 1 }, { credits: false, tokens: false, time: false }],
  [
    'what is not known is not compared',
    { outputTokens: null },
    { outputTokens: 1 },
    { credits: false, tokens: false, time: false },
  ],
])('figures: %s', (_, other, mine, want) => {
  const turn = {
    state: 'ANSWERED' as const,
    finishReason: 'stop',
    credits: 2,
    inputTokens: 9,
    outputTokens: 9,
    durationMs: 2_000,
  }
  expect(betterFigures({ ...turn, ...mine }, { ...turn, ...other })).toEqual(want)
})

test('what was kept is put side by side by its text, and a failed message with its retry', () => {
  const entry = (id: string, message: string, state: 'ANSWERED' | 'FAILED' = 'ANSWERED', pair?: string) =>
    ({ id, message, pair, idempotencyKey: '', outcome: { kind: 'turn', turn: { id, state } } }) as never
  const left = [
    entry('l1', 'a', 'FAILED'),
    entry('l2', 'a'),
    entry('l3', 'b'),
    entry('l4', 'a'),
    entry('l5', 'a', 'ANSWERED', 'p'),
  ]
  const right = [entry('r1', 'a'), entry('r2', 'a'), entry('r3', 'a', 'ANSWERED', 'p')]
  expect(exchangesOf(left, right).map((row) => [row.left?.id, row.right?.id])).toEqual([
    ['l2', 'r1'],
    ['l3', undefined],
    ['l4', 'r2'],
    ['l5', 'r3'],
  ])
})

test('results stand beside those that followed the same message, round by round', () => {
  const entry = (id: string, message: string, results?: unknown, state: 'ANSWERED' | 'FAILED' = 'ANSWERED') =>
    ({ id, message, results, idempotencyKey: '', outcome: { kind: 'turn', turn: { id, state } } }) as never
  const left = [entry('l1', 'a'), entry('l2', '', []), entry('l3', '', []), entry('l4', 'b'), entry('l5', '', [])]
  const right = [
    entry('r1', 'a'),
    entry('r2', '', [], 'FAILED'),
    entry('r3', '', []),
    entry('r4', 'b'),
    entry('r5', '', []),
  ]
  expect(exchangesOf(left, right).map((row) => [row.left?.id, row.right?.id])).toEqual([
    ['l1', 'r1'],
    ['l2', 'r3'],
    ['l3', undefined],
    ['l4', 'r4'],
    ['l5', 'r5'],
  ])
})
