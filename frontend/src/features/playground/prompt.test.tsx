import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { address, fromChatMenu, renderTry, send, service } from './testing'

afterEach(() => session.signedOut())

const from = '019aa000-0000-7000-8000-000000000007'
const long = `You help.\n\n${'Answer in the language of the customer. '.repeat(10)}The end.`
const saw = { instructions: long, earlierTurns: 2, actions: 0, chain: [], model: 'demo/echo' }
const turn = {
  __typename: 'Turn',
  version: null,
  source: 'PLAYGROUND',
  inputTokens: 1163,
  outputTokens: 1,
  message: 'hello',
  actionResults: [],
  passages: [],
  prompt: saw,
}
const continued = { __typename: 'Turn', id: from, number: 3, conversation: { id: 'c7', sessionId: 'customer-7' } }

async function opened() {
  await send('hello')
  const button = await screen.findByRole('button', { name: 'What the model saw' })
  expect(screen.queryByRole('region', { name: 'What the model saw' })).toBeNull()
  await userEvent.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  return within(await screen.findByRole('region', { name: 'What the model saw' }))
}

test('under a reply: the instructions as sent, in two lines at first, the earlier turns, tokens, version and model', async () => {
  service({ node: (id) => ({ ...turn, id }) })
  renderTry()
  const box = await opened()
  const text = (await box.findByText(/You help\./)).parentElement
  expect(text?.textContent).toBe(long)
  const folded = text?.className
  await userEvent.click(box.getByRole('button', { name: 'Show all' }))
  expect(text?.className).not.toBe(folded)
  await userEvent.click(box.getByRole('button', { name: 'Show less' }))
  expect(text?.className).toBe(folded)
  for (const fact of ['2 earlier turns', '1,163 tokens in', '1 token out', 'Draft', 'demo/echo'])
    expect(box.getByText(fact)).toBeTruthy()
})

test('short instructions of a version are not folded', async () => {
  service({
    node: (id) => ({ ...turn, id, version: 3, prompt: { ...saw, instructions: 'Be brief.', earlierTurns: 0 } }),
  })
  renderTry()
  const box = await opened()
  expect(await box.findByText('Be brief.')).toBeTruthy()
  expect(box.queryByRole('button', { name: 'Show all' })).toBeNull()
  for (const fact of ['No earlier turns', 'Version 3']) expect(box.getByText(fact)).toBeTruthy()
})

test('for results: the message, what it asked for, and what came of it', async () => {
  const call = { id: 'act_1', name: 'order_status', arguments: '{"order":"A-1"}', state: 'ANSWERED' }
  const asked = { id: 't0', message: 'Where is it?', reply: 'Let me look.', actionCalls: [call], actionResults: [] }
  service({
    node: (id) => ({
      ...turn,
      id,
      actionResults: [{ callId: 'act_1', name: 'order_status', result: '{"state":"shipped"}' }],
      prompt: { ...saw, actions: 2, chain: [asked] },
    }),
  })
  renderTry()
  const box = await opened()
  for (const fact of ['Where is it?', 'Let me look.', '2 actions']) expect(await box.findByText(fact)).toBeTruthy()
  expect(box.getByRole('group', { name: 'Arguments of order_status', hidden: true }).textContent).toContain('A-1')
  expect(box.getByRole('group', { name: 'Result of order_status', hidden: true }).textContent).toContain('shipped')
})

test('the passages that the model was given are folded, and go with their source', async () => {
  const given = [
    {
      n: 1,
      name: 'Terms',
      heading: 'Returns > Time limits',
      page: null,
      text: 'Within 30 days.',
      source: { id: 's1' },
    },
    { n: 2, name: 'Old prices', heading: null, page: 4, text: null, source: null },
  ].map((one) => ({ ...one, source: one.source && { __typename: 'KnowledgeSource', ...one.source } }))
  service({ node: (id) => ({ ...turn, id, passages: given }) })
  renderTry()
  const box = within(await (await opened()).findByRole('region', { name: 'Knowledge' }))
  expect(box.getByText('2 passages from knowledge · 15 characters')).toBeTruthy()
  const [first, second] = ['Terms', 'Old prices'].map((name) => box.getByText(name).closest('details'))
  expect(first?.open).toBe(false)
  expect(first?.textContent).toContain('[1] Terms · Returns > Time limits')
  expect(first?.textContent).toContain('Within 30 days.')
  expect(second?.textContent).toContain('[2] Old prices · page 4')
  expect(second?.textContent).toContain('Its source and text were deleted')
})

test('a reply names the sources that it cites, and one that exists opens', async () => {
  const sources = [
    { n: 2, name: 'Terms', heading: 'Returns', page: 3, source: { id: 's1' } },
    { n: 1, name: 'Old prices', heading: null, page: null, source: null },
  ]
  service({ send: () => ({ reply: 'Within 30 days [2].\n\nOnce [1].', sources }) })
  const { router } = renderTry()
  await send('hello')
  const cited = within(await screen.findByRole('region', { name: 'Sources' }))
  expect(cited.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '[2] Terms · Returns · page 3',
    '[1] Old prices (since deleted) ',
  ])
  const numbers = within(screen.getByRole('group', { name: 'Agent:' }))
  const number = await numbers.findByRole('link', { name: '[2]' })
  expect(numbers.getByText('[1]').tagName).toBe('BDI') // its source was deleted
  await userEvent.click(number)
  await waitFor(() => expect(router.state.location.search).toMatchObject({ knowledge: 's1' }))
})

test('a draft that has changed since says so', async () => {
  service({ node: (id) => ({ ...turn, id, prompt: null }) })
  renderTry()
  expect(await (await opened()).findByText(/The draft has changed since this reply/)).toBeTruthy()
})

test('a conversation that continues from a turn says so, names the turn with each message, and ends with a new one', async () => {
  const seen = service({ node: () => continued })
  renderTry(`${address}?continue=${from}`)
  expect(await screen.findByText('Continues from turn 3 of')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'customer-7' }).getAttribute('href')).toBe('/activity/conversations/c7')
  for (const text of ['one', 'two']) {
    await send(text)
    await screen.findByText(text, { selector: 'strong' })
  }
  await fromChatMenu('New chat')
  await waitFor(() => expect(screen.queryByText('Continues from turn 3 of')).toBeNull())
  await send('three')
  await screen.findByText('three', { selector: 'strong' })
  expect(seen.sent.map(({ continueFrom }) => continueFrom)).toEqual([from, from, undefined])
})

test('a new conversation may begin before anything was sent; what was deleted is said', async () => {
  const seen = service()
  renderTry(`${address}?continue=${from}`)
  expect(await screen.findByText('The conversation this one continued was deleted.')).toBeTruthy()
  await fromChatMenu('New chat')
  await send('one')
  await screen.findByText('one', { selector: 'strong' })
  expect(seen.sent[0]?.continueFrom).toBeUndefined()
})
