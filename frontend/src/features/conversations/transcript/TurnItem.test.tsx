import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { session } from '@/shared/gql'
import { renderPage } from '@/testing/renderPage'
import { service } from './testing'

afterEach(() => session.forget())

test('a turn shows what was said and what it cost', async () => {
  service([{ message: 'Hello <b>you</b>', reply: '**Good** [day](javascript:alert(1))' }])
  renderPage('/activity/conversations/c1')
  const turn = within(await screen.findByRole('article', { name: 'Turn 1' }))
  expect(turn.getByText('Hello <b>you</b>')).toBeTruthy()
  expect((await turn.findByText('Good')).tagName).toBe('STRONG')
  expect(turn.queryByRole('link', { name: 'day' })).toBeNull()
  for (const text of ['5 credits', '1.8 s']) expect(turn.getByText(text)).toBeTruthy()
  expect(turn.getByRole('link', { name: 'View request' }).getAttribute('href')).toBe('/activity/requests?id=q1')
  expect(turn.getByRole('button', { name: 'What the model saw' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Web shop' }).getAttribute('href')).toBe('/exports/e1')
})

test('acceptance 15: the link of a turn is copied, and opens with that turn marked', async () => {
  vi.stubGlobal('isSecureContext', true)
  onTestFinished(() => void vi.unstubAllGlobals())
  const user = userEvent.setup()
  service([{ reply: 'Yes.' }, { reply: 'No.' }])
  const { unmount } = renderPage('/activity/conversations/c1')
  const turn = within(await screen.findByRole('article', { name: 'Turn 1' }))
  await user.click(turn.getByRole('button', { name: 'Actions for turn 1' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Copy link', hidden: true }))
  const link = new URL(await navigator.clipboard.readText())
  unmount()
  renderPage(link.pathname + link.search)
  const item = (await screen.findByRole('article', { name: 'Turn 1' })).closest('li')
  expect(item?.getAttribute('aria-current')).toBe('true')
  expect(document.querySelectorAll('li[aria-current]')).toHaveLength(1)
})

test('the day stands over the first turn of a day', async () => {
  const days = ['2026-01-05T15:00:00Z', '2026-01-05T16:00:00Z', '2026-01-06T15:00:00Z']
  service(days.map((createdAt) => ({ createdAt })))
  renderPage('/activity/conversations/c1')
  await screen.findByRole('article', { name: 'Turn 3' })
  expect([...document.querySelectorAll('li > p > time')].map((time) => time.getAttribute('datetime'))).toEqual([
    days[0],
    days[2],
  ])
})

test('a turn leads to the version that answered; the playground’s draft is named, old turns have none', async () => {
  service([{ version: 3 }, { source: 'PLAYGROUND' }, {}])
  renderPage('/activity/conversations/c1')
  const turn = async (number: number) => within(await screen.findByRole('article', { name: `Turn ${number}` }))
  const link = (await turn(1)).getByRole('link', { name: 'Version 3' })
  expect(link.getAttribute('href')).toBe('/agents/a1/versions?open=3')
  expect((await turn(2)).getByText('Draft')).toBeTruthy()
  expect((await turn(3)).queryByText(/Draft|Version/)).toBeNull()
})

test('a turn that failed says so in plain words', async () => {
  const failures = [
    ['model_timeout', 'The model took too long. Not charged.'],
    ['model_unavailable', 'The model was overloaded or unavailable. Not charged.'],
    ['model_error', 'The model returned an error. Not charged.'],
    ['invalid_output', 'The reply didn’t match the reply schema or the actions. Not charged.'],
    ['content_blocked', 'The model’s safety rules blocked this message. Not charged.'],
    ['stopped', 'Stopped in Try before the first word. Not charged.'],
    ['unavailable', 'The service couldn’t finish the reply. Not charged.'],
    ['internal', 'The service failed. Not charged.'],
    ['of_a_later_version', 'No reply. Not charged.'],
    ['toString', 'No reply. Not charged.'],
  ] as const
  service(failures.map(([errorCode]) => ({ state: 'FAILED', errorCode })))
  renderPage('/activity/conversations/c1')
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
  renderPage('/activity/conversations/c1')
  const turn = async (number: number) => (await screen.findByRole('article', { name: `Turn ${number}` })).textContent
  expect(await turn(1)).toContain('Answered by the fallback model acme/second')
  expect(await turn(2)).toContain('The fallback model acme/second failed too')
  expect(await turn(3)).not.toContain('fallback')
})

test('a turn in the background says so, also while it is pending', async () => {
  service([{ background: true, state: 'PENDING', reply: null, durationMs: null }, { background: true }, {}])
  renderPage('/activity/conversations/c1')
  const turn = async (number: number) => within(await screen.findByRole('article', { name: `Turn ${number}` }))
  expect((await turn(1)).getByText('Running in the background.')).toBeTruthy()
  expect((await turn(2)).getByText('Background')).toBeTruthy()
  expect((await turn(3)).queryByText('Background')).toBeNull()
})

test('a reply in shape is indented, and one that did not fit is shown to the owner', async () => {
  const json = '{"state":"shipped","parcels":[1e400]}'
  service([
    { reply: json, output: json },
    { state: 'FAILED', errorCode: 'invalid_output', reply: null, misfit: '{"stat": *1*}' },
  ])
  renderPage('/activity/conversations/c1')
  const turn = within(await screen.findByRole('article', { name: 'Turn 1' }))
  const reply = turn.getByRole('group', { name: 'Reply' })
  expect(reply.textContent).toContain('{\n  "state": "shipped",\n  "parcels": [\n    1e400\n  ]\n}')
  await userEvent.click(turn.getByRole('button', { name: 'Actions for turn 1' }))
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Raw', hidden: true }))
  expect(reply.textContent).toContain(json)
  const failed = within(screen.getByRole('article', { name: 'Turn 2' }))
  expect(failed.getByRole('group', { name: 'Reply that didn’t match' }).textContent).toContain('{"stat": *1*}')
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
      actionResults: [{ callId: id, name: 'order_status', result: '{"state":"shipped"}' }],
    },
    { reply: '', actionCalls: [{ id: 'act_2', name: 'refund', arguments: '{}', state: 'NOT_RUN' }] },
  ])
  renderPage('/activity/conversations/c1')
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

test('a turn names the sources that its reply cites, each with a link to it', async () => {
  service([{ reply: 'Yes [1].', sources: [{ n: 1, name: 'Terms', heading: 'Returns', source: { id: 's1' } }] }])
  renderPage('/activity/conversations/c1')
  const turn = within(await screen.findByRole('article', { name: 'Turn 1' }))
  const cited = within(turn.getByRole('region', { name: 'Sources' }))
  expect(cited.getByRole('listitem').textContent).toBe('[1] Terms · Returns')
  expect(cited.getByRole('link', { name: 'Terms' }).getAttribute('href')).toBe('/agents/a1?knowledge=s1')
})

test('a reply that was stopped is marked as such', async () => {
  service([{ reply: 'The first words', finishReason: 'stopped' }])
  renderPage('/activity/conversations/c1')
  const turn = within(await screen.findByRole('article', { name: 'Turn 1' }))
  expect(turn.getByText('The first words')).toBeTruthy()
  expect(turn.getByText(/^Stopped in Try\. .* in full\.$/)).toBeTruthy()
})

test.each([
  ['timeout', /^Cut off at the model’s time limit\. This part was kept and charged/],
  ['content_blocked', /^Stopped by the model’s safety rules\. This part was charged/],
])('a reply that ended by %s says what was charged', async (finishReason, words) => {
  service([{ reply: 'The first words', finishReason }])
  renderPage('/activity/conversations/c1')
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getByText('The first words')).toBeTruthy()
})

test('a very long message is cut until the reader asks for it', async () => {
  service([{ message: `${'x'.repeat(3_999)}😀${'y'.repeat(200_000)}end`, reply: 'Yes.' }])
  renderPage('/activity/conversations/c1')
  const turn = await screen.findByRole('article', { name: 'Turn 1' })
  expect(turn.textContent).not.toContain('end')
  expect(turn.textContent).toContain('xx…')
  await userEvent.click(screen.getByRole('button', { name: 'Show all 204,004 characters' }))
  expect(turn.textContent).toContain('😀y')
  expect(turn.textContent).toContain('yend')
})

test('a turn shows the variables that were given, and cuts long ones until the reader asks', async () => {
  const long = `${'x'.repeat(3_990)} the end`
  const variables = [
    { name: 'plan', value: '<b>pro</b>' },
    { name: 'history', value: long },
    { name: 'note', value: '' },
  ]
  service([{ reply: 'Yes.', variables }, { reply: 'No.' }])
  renderPage('/activity/conversations/c1')
  const turn = await screen.findByRole('article', { name: 'Turn 1' })
  const value = (name: string) => within(turn).getByText(name).closest('dt')?.nextElementSibling?.textContent
  expect(value('plan')).toBe('<b>pro</b>')
  expect(value('note')).toBe('(empty)')
  expect(value('history')).toBe(`${'x'.repeat(200)}…Show all 3,998 characters`)
  await userEvent.click(within(turn).getByRole('button', { name: 'Show all 3,998 characters' }))
  expect(value('history')).toBe(long)
  expect(within(screen.getByRole('article', { name: 'Turn 2' })).queryByText('Variables')).toBeNull()
})
