import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { TurnSource, TurnState } from '@/gql/graphql'
import { session } from '@/shared/gql'
import { remember, remembered } from '@/shared/remembered'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { fromMenu } from '@/testing/fromMenu'
import { renderApp } from '@/testing/renderApp'

afterEach(() => session.forget())

type Turn = {
  version?: number
  source?: TurnSource
  state?: TurnState
  message?: string
  reply?: string | null
  output?: string
  misfit?: string
  actionCalls?: Record<string, string>[]
  actionResults?: Record<string, string>[]
  model?: string
  fallback?: boolean
  errorCode?: string
  finishReason?: string
  userId?: string
  variables?: { name: string; value: string }[]
}

/** A service with one conversation of these turns; it can be deleted. */
function service(turns: Turn[], userId: string | null = null) {
  session.signedIn('good', inMinutes(15), Date.now())
  const deleted: unknown[] = []
  const pageInfo = { hasNextPage: false, hasPreviousPage: false }
  const agent = { id: 'a1', name: 'Shop help', conversations: { edges: [], nodes: [], pageInfo } }
  answer({
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
    },
    agent,
    conversation: {
      id: 'c1',
      sessionId: 'customer-7',
      source: 'API',
      userId,
      turnCount: turns.length,
      failedTurns: turns.filter(({ state }) => state === 'FAILED').length,
      credits: 5 * turns.length,
      createdAt: inMinutes(-90),
      lastTurnAt: inMinutes(-5),
      agent,
      turns: ({ last, before }: { last: number; before: string | null }) => {
        const end = before ? Number(before) - 1 : turns.length
        const start = Math.max(0, end - last)
        const nodes = turns.slice(start, end).map((turn, i) => ({
          id: `t${start + i + 1}`,
          conversationId: 'c1',
          number: start + i + 1,
          message: `message ${start + i + 1}`,
          state: 'ANSWERED',
          requestId: `req-${start + i + 1}`,
          model: 'openai/gpt',
          fallback: false,
          actionCalls: [],
          actionResults: [],
          credits: 5,
          inputTokens: 1200,
          outputTokens: 34,
          source: 'API',
          userId,
          variables: [],
          export: { id: 'e1', name: 'Web shop' },
          createdAt: inMinutes(-5),
          durationMs: 1840,
          ...turn,
        }))
        return { edges: [], nodes, pageInfo: { ...pageInfo, hasPreviousPage: start > 0, startCursor: `${start + 1}` } }
      },
    },
    deleteConversation: ({ input }: { input: { id: string } }) => {
      deleted.push(input)
      if (deleted.length > 1) throw refusal('NOT_FOUND', 'There is no such conversation.')
      return { id: input.id }
    },
    deleteConversations: ({ input }: { input: { sessionId: string; agentId?: string } }) => {
      deleted.push({ ...input })
      return { deletedCount: 3 }
    },
  })
  return { deleted, turns }
}

test('a turn shows what was said and what it cost', async () => {
  service([{ message: 'Hello <b>you</b>', reply: '**Good** [day](javascript:alert(1))' }])
  renderApp('/activity/conversations/c1')
  const turn = within(await screen.findByRole('article', { name: 'Turn 1' }))
  expect(turn.getByText('Hello <b>you</b>')).toBeTruthy()
  expect((await turn.findByText('Good')).tagName).toBe('STRONG')
  expect(turn.queryByRole('link', { name: 'day' })).toBeNull()
  for (const text of ['openai/gpt', '1,200 in, 34 out', '5 credits', '1.8 s', 'req-1'])
    expect(turn.getByText(text)).toBeTruthy()
  expect(turn.getByRole('link', { name: 'Web shop' }).getAttribute('href')).toBe('/exports/e1')
  expect(screen.getByText('customer-7')).toBeTruthy()
  expect(turn.getByRole('button', { name: 'What the model saw' })).toBeTruthy()
  expect(turn.getByRole('link', { name: 'Continue in Try' }).getAttribute('href')).toBe('/agents/a1?continue=t1')
})

test('a turn leads to the version that answered; the playground’s draft is named, old turns have none', async () => {
  service([{ version: 3 }, { source: 'PLAYGROUND' }, {}])
  renderApp('/activity/conversations/c1')
  const turn = async (number: number) => within(await screen.findByRole('article', { name: `Turn ${number}` }))
  const link = (await turn(1)).getByRole('link', { name: 'Version 3' })
  expect(link.getAttribute('href')).toBe('/agents/a1/versions?open=3')
  expect((await turn(2)).getByText('Draft')).toBeTruthy()
  expect((await turn(3)).queryByText(/Draft|Version/)).toBeNull()
})

test('a turn that failed says so in plain words', async () => {
  const failures = [
    ['model_timeout', 'The model did not answer in time. Nothing was charged.'],
    ['model_unavailable', 'The model was overloaded or unavailable. Nothing was charged.'],
    ['model_error', 'The model failed to answer. Nothing was charged.'],
    ['invalid_output', 'The reply did not fit the agent’s reply schema or its actions. Nothing was charged.'],
    ['content_blocked', 'The model’s safety rules blocked this message. Nothing was charged.'],
    ['stopped', 'Stopped in the playground before the first word. Nothing was charged.'],
    ['unavailable', 'The service could not finish the reply. Nothing was charged.'],
    ['internal', 'Something went wrong in the service. Nothing was charged.'],
    ['of_a_later_version', 'The message was not answered. Nothing was charged.'],
    ['toString', 'The message was not answered. Nothing was charged.'],
  ] as const
  service(failures.map(([errorCode]) => ({ state: 'FAILED', errorCode })))
  renderApp('/activity/conversations/c1')
  for (const [at, [errorCode, words]] of failures.entries()) {
    const turn = within(await screen.findByRole('article', { name: `Turn ${at + 1}` }))
    expect(turn.getByText(words)).toBeTruthy()
    expect(turn.getByText(errorCode)).toBeTruthy()
  }
})

test('a turn says when its fallback model was asked', async () => {
  service([
    { model: 'acme/second', fallback: true },
    { model: 'acme/second', fallback: true, state: 'FAILED', errorCode: 'model_error', reply: null },
    {},
  ])
  renderApp('/activity/conversations/c1')
  const turn = async (number: number) => (await screen.findByRole('article', { name: `Turn ${number}` })).textContent
  expect(await turn(1)).toContain('Answered by the fallback model acme/second')
  expect(await turn(2)).toContain('The fallback model acme/second failed, too')
  expect(await turn(3)).not.toContain('fallback')
})

test('a reply in shape is indented, and one that did not fit is shown to the owner', async () => {
  const json = '{"state":"shipped","parcels":[1e400]}'
  service([
    { reply: json, output: json },
    { state: 'FAILED', errorCode: 'invalid_output', reply: null, misfit: '{"stat": *1*}' },
  ])
  renderApp('/activity/conversations/c1')
  const turn = within(await screen.findByRole('article', { name: 'Turn 1' }))
  const reply = turn.getByRole('group', { name: 'Reply' })
  expect(reply.textContent).toContain('{\n  "state": "shipped",\n  "parcels": [\n    1e400\n  ]\n}')
  await userEvent.click(within(reply).getByRole('button', { name: 'As sent' }))
  expect(reply.textContent).toContain(json)
  const failed = within(screen.getByRole('article', { name: 'Turn 2' }))
  expect(failed.getByRole('group', { name: 'The reply that did not fit' }).textContent).toContain('{"stat": *1*}')
})

test('a turn shows the actions that its reply asks for, and the next one what came of them', async () => {
  const id = 'act_1'
  service([
    {
      reply: 'Let me look.',
      actionCalls: [{ id, name: 'order_status', arguments: '{"order":"A-1"}', state: 'ANSWERED' }],
    },
    {
      message: '',
      reply: 'It is on its way.',
      actionResults: [{ id, name: 'order_status', result: '{"state":"shipped"}' }],
    },
    { reply: '', actionCalls: [{ id: 'act_2', name: 'refund', arguments: '{}', state: 'NOT_RUN' }] },
  ])
  renderApp('/activity/conversations/c1')
  const first = within(await screen.findByRole('article', { name: 'Turn 1' }))
  expect(first.getByText('Let me look.')).toBeTruthy()
  expect(first.getByText('Answered')).toBeTruthy()
  await userEvent.click(first.getByText('order_status'))
  expect(first.getByRole('group', { name: 'Arguments of order_status' }).textContent).toContain('"order": "A-1"')
  const second = within(screen.getByRole('article', { name: 'Turn 2' }))
  await userEvent.click(second.getByText('order_status'))
  expect(second.getByRole('group', { name: 'Result of order_status' }).textContent).toContain('"state": "shipped"')
  expect(second.queryByRole('group', { name: 'Message' })).toBeNull()
  const third = within(screen.getByRole('article', { name: 'Turn 3' }))
  expect(third.getByText('Not run')).toBeTruthy()
  expect(third.queryByRole('group', { name: 'Reply' })).toBeNull()
})

test('a reply that was stopped is marked as such', async () => {
  service([{ reply: 'The first words', finishReason: 'stopped' }])
  renderApp('/activity/conversations/c1')
  const turn = within(await screen.findByRole('article', { name: 'Turn 1' }))
  expect(turn.getByText('The first words')).toBeTruthy()
  expect(turn.getByText(/^The reply was stopped in the playground\. .* at the full price\.$/)).toBeTruthy()
})

test.each([
  ['timeout', /cut off at the model’s time limit\. This part was kept and charged/],
  ['content_blocked', /safety rules stopped the reply\. This part was charged/],
])('a reply that ended by %s says what was charged', async (finishReason, words) => {
  service([{ reply: 'The first words', finishReason }])
  renderApp('/activity/conversations/c1')
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getByText('The first words')).toBeTruthy()
})

test('a message under way is followed until it is answered', async () => {
  const { turns } = service([{ state: 'PENDING' }])
  renderApp('/activity/conversations/c1')
  expect(await screen.findByText('The message is being answered.')).toBeTruthy()
  turns[0] = { reply: 'There you are.', finishReason: 'length' }
  expect(await screen.findByText('There you are.')).toBeTruthy()
  expect(
    screen.getByText('The reply was cut off at the model’s limit, or the service had no memory for the rest.'),
  ).toBeTruthy()
})

test('earlier turns come in above, each once and in order', async () => {
  service(Array.from({ length: 45 }, () => ({ reply: 'Yes.' })))
  renderApp('/activity/conversations/c1')
  const scrolled = vi.spyOn(window, 'scrollBy').mockReturnValue()
  const numbers = () => [...document.querySelectorAll('article h2')].map((title) => Number(title.textContent?.slice(5)))
  await screen.findByText('message 45')
  expect(numbers()).toEqual(Array.from({ length: 20 }, (_, i) => 26 + i))
  await userEvent.click(screen.getByText('Load earlier turns'))
  await screen.findByText('message 6')
  await userEvent.click(screen.getByText('Load earlier turns'))
  await screen.findByText('message 1')
  expect(numbers()).toEqual(Array.from({ length: 45 }, (_, i) => 1 + i))
  expect(scrolled).toHaveBeenCalledTimes(2)
  expect(screen.queryByText('Load earlier turns')).toBeNull()
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Transcript')
})

test('on the way back to an earlier turn, those that are there are not rendered again', async () => {
  const formatted: number[] = []
  const { prototype } = Intl.NumberFormat
  const own = Object.getOwnPropertyDescriptor(prototype, 'format') ?? {}
  onTestFinished(() => void Object.defineProperty(prototype, 'format', own))
  Object.defineProperty(prototype, 'format', {
    ...own,
    get(this: Intl.NumberFormat) {
      const format: (value: number) => string = own.get?.call(this)
      return (value: number) => {
        formatted.push(value) // as each turn's number is
        return format(value)
      }
    },
  })
  service(Array.from({ length: 103 }, () => ({ reply: 'Yes.' })))
  renderApp('/activity/conversations/c1?turn=1')
  await screen.findByText('message 1')
  const rendered = (number: number) => formatted.filter((value) => value === number).length
  expect(rendered(102)).toBe(rendered(3))
})

test('a very long message is cut until the reader asks for it', async () => {
  service([{ message: `${'x'.repeat(3_999)}😀${'y'.repeat(200_000)}end`, reply: 'Yes.' }])
  renderApp('/activity/conversations/c1')
  const turn = await screen.findByRole('article', { name: 'Turn 1' })
  expect(turn.textContent).not.toContain('end')
  expect(turn.textContent).toContain('xx…')
  await userEvent.click(screen.getByRole('button', { name: 'Show all 204,004 characters' }))
  expect(turn.textContent).toContain('😀y')
  expect(turn.textContent).toContain('yend')
})

test('a conversation of an end user leads to their page', async () => {
  service([{ reply: 'Yes.' }], 'customer 7')
  renderApp('/activity/conversations/c1')
  const link = await screen.findByRole('link', { name: 'customer 7' })
  expect(link.getAttribute('href')).toBe('/activity/people/person?id=customer+7')
})

test('a conversation without an end user names none', async () => {
  service([{ reply: 'Yes.' }])
  renderApp('/activity/conversations/c1')
  await screen.findByText('customer-7')
  expect(screen.queryByText('User ID')).toBeNull()
})

test('a turn shows the variables that were given, and cuts long ones until the reader asks', async () => {
  const long = `${'x'.repeat(3_990)} the end`
  const variables = [
    { name: 'plan', value: '<b>pro</b>' },
    { name: 'history', value: long },
    { name: 'note', value: '' },
  ]
  service([{ reply: 'Yes.', variables }, { reply: 'No.' }])
  renderApp('/activity/conversations/c1')
  const turn = await screen.findByRole('article', { name: 'Turn 1' })
  const value = (name: string) => within(turn).getByText(name).closest('dt')?.nextElementSibling?.textContent
  expect(value('plan')).toBe('<b>pro</b>')
  expect(value('note')).toBe('(empty)')
  expect(value('history')).toBe(`${'x'.repeat(200)}…Show all 3,998 characters`)
  await userEvent.click(within(turn).getByRole('button', { name: 'Show all 3,998 characters' }))
  expect(value('history')).toBe(long)
  expect(within(screen.getByRole('article', { name: 'Turn 2' })).queryByText('Variables')).toBeNull()
})

test('a conversation is deleted after a question, whose Cancel has the focus', async () => {
  const { deleted } = service([{ reply: 'Yes.' }])
  remember('a1', 'customer-7')
  const { router } = renderApp('/activity/conversations/c1')
  await fromMenu('Delete conversation')
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete this conversation?' }))
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' })))
  expect(dialog.getByText('customer-7')).toBeTruthy()
  expect(deleted).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Delete conversation' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents/a1/activity/conversations'))
  expect(deleted).toEqual([{ id: 'c1' }])
  await waitFor(() => expect(remembered('a1')).toBeUndefined())
})

test.each([
  ['Only those with the agent Shop help', { sessionId: 'customer-7', agentId: 'a1' }],
  ['Those with any agent of this account', { sessionId: 'customer-7' }],
])('all conversations of a session ID are deleted: %s', async (scope, input) => {
  const { deleted } = service([{ reply: 'Yes.' }])
  const { router } = renderApp('/activity/conversations/c1')
  await fromMenu('Delete all with this session ID')
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete all conversations with this session ID?' }))
  expect((dialog.getByRole('radio', { name: /^Only/ }) as HTMLInputElement).checked).toBe(true)
  await userEvent.click(dialog.getByRole('radio', { name: scope }))
  await userEvent.click(dialog.getByRole('button', { name: 'Delete all with this session ID' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents/a1/activity/conversations'))
  expect(deleted).toEqual([input])
  expect(await screen.findByText('3 conversations deleted')).toBeTruthy()
})

test('a conversation that is not there says so', async () => {
  session.signedIn('good', inMinutes(15), Date.now())
  answer({
    viewer: null,
    conversation: () => {
      throw refusal('NOT_FOUND', 'There is no such conversation.')
    },
  })
  renderApp('/activity/conversations/c2')
  const alert = (await screen.findByText('This does not exist')).closest('[role="alert"]')
  expect(alert?.textContent).toContain('There is no such conversation.')
  expect(alert?.textContent).toContain('req-1')
})

test('the details of a turn are folded, unless it failed', async () => {
  service([{ reply: 'Yes.' }, { state: 'FAILED', errorCode: 'model_error' }])
  renderApp('/activity/conversations/c1')
  const folded = async (name: string) =>
    !(await screen.findByRole('article', { name })).querySelector('details')?.hasAttribute('open')
  expect(await folded('Turn 1')).toBe(true)
  expect(await folded('Turn 2')).toBe(false)
  expect(screen.getByText('1 failed')).toBeTruthy()
})
