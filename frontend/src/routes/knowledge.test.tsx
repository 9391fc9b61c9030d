import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { refusal } from '@/shared/testing/server'
import { agentService } from '@/testing/agentService'
import { fromMenu } from '@/testing/fromMenu'
import { knowledgeService, source, type TestSource } from '@/testing/knowledgeService'
import { renderPage } from '@/testing/renderPage'

beforeEach(() => localStorage.setItem('build sections', '["knowledge"]'))
afterEach(() => {
  cleanup() // first: a page that is still there would ask for a new sign-in
  session.signedOut()
  localStorage.clear()
})

/** An agent whose version 5 is live, with an export that is pinned to version 3. */
function show(sources: TestSource[] = [], mode?: string, address = '/agents/a1') {
  const { state, fields, answers } = knowledgeService(sources, mode)
  agentService({ ...fields, exports: [{ id: 'e1', version: 3 }] }, 5, answers)
  renderPage(address)
  return state
}

const part = async () => within(await screen.findByRole('region', { name: 'Knowledge' }))
const press = async (name: string, within = screen as Pick<typeof screen, 'findByRole'>) =>
  userEvent.click(await within.findByRole('button', { name }))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })
const open = async (name: string) => {
  await press(name, await part())
  return dialog(name)
}

test('a text and an answer are added, and a text that is there already is refused in words', async () => {
  const state = show()
  await press('Text', await part())
  const text = await dialog('New text')
  await press('Add to draft', text)
  expect(document.activeElement).toBe(text.getByLabelText('Name'))
  type(text.getByLabelText('Name'), ' Terms ')
  type(text.getByLabelText('Text'), '# Returns\nWithin 30 days.')
  await press('Add to draft', text)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(state.calls).toEqual([['text', { agentId: 'a1', name: 'Terms', text: '# Returns\nWithin 30 days.' }]])
  expect(await (await part()).findByRole('button', { name: 'Terms' })).toBeTruthy()

  await press('Text', await part())
  const again = await dialog('New text')
  type(again.getByLabelText('Name'), 'Copy')
  type(again.getByLabelText('Text'), '# Returns\nWithin 30 days.')
  await press('Add to draft', again)
  expect((await again.findByRole('alert')).textContent).toContain('already has this text as “Terms”')
  await press('Cancel', again)

  await press('Q&A', await part())
  const answer = await dialog('New Q&A')
  type(answer.getByLabelText('Questions'), 'May I return it?\n\n Send it back? ')
  type(answer.getByLabelText('Answer'), 'Yes.')
  await press('Add to draft', answer)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const questions = ['May I return it?', 'Send it back?']
  expect(state.calls.at(-1)).toEqual(['answer', { agentId: 'a1', questions, answer: 'Yes.' }])
})

test('a text that was typed and not added is there again after a reload, until it is cancelled', async () => {
  const state = show()
  await press('Text', await part())
  type((await dialog('New text')).getByLabelText('Text'), 'Within 30 days.')
  dispatchEvent(new Event('pagehide'))
  cleanup()
  renderPage('/agents/a1')
  const again = await dialog('New text')
  expect(again.getByLabelText('Text')).toHaveProperty('value', 'Within 30 days.')
  type(again.getByLabelText('Name'), 'Terms')
  await press('Add to draft', again)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(state.calls).toEqual([['text', { agentId: 'a1', name: 'Terms', text: 'Within 30 days.' }]])
  await press('Q&A', await part())
  type((await dialog('New Q&A')).getByLabelText('Answer'), 'Yes.')
  await press('Cancel', await dialog('New Q&A'))
  await press('Q&A', await part())
  expect((await dialog('New Q&A')).getByLabelText('Answer')).toHaveProperty('value', '')
})

test('an edit that was not saved is there again with the open source', async () => {
  show([source('s1', 'Terms')])
  await press('Edit', await open('Terms'))
  type((await dialog('Edit “Terms”')).getByLabelText('Text'), 'Mine.')
  cleanup()
  renderPage('/agents/a1?knowledge=s1')
  expect((await dialog('Edit “Terms”')).getByLabelText('Text')).toHaveProperty('value', 'Mine.')
})

test('the list says where a source is used, and more of it comes on demand', async () => {
  const used = source('s1', 'Terms', { inVersions: [1, 3, 4, 5], passages: 12, characters: 20_000 })
  const many = Array.from({ length: 50 }, (_, at) => source(`m${at}`, `Note ${at}`))
  show([used, source('s2', 'Old', { inDraft: false, inVersions: [2] }), ...many])
  const row = within((await (await part()).findByText('Terms')).closest('tr') as HTMLElement)
  expect(row.getByText('Draft, versions 1, 3–5')).toBeTruthy()
  expect(row.getByText('20,000 characters')).toBeTruthy()
  expect((await part()).getByText('Version 2')).toBeTruthy()
  expect((await part()).getByText('52 of 200 texts and files')).toBeTruthy()
  expect((await part()).getByText('2 kB of 50 MB')).toBeTruthy()
  expect((await part()).queryByText('Note 49')).toBeNull()
  await press('Show more', await part())
  expect(await (await part()).findByText('Note 49')).toBeTruthy()
})

test('editing replaces: an answer has its questions, and what is opened is the new one', async () => {
  const answer = {
    kind: 'ANSWER',
    question: 'Open on Sunday?\nSunday?',
    body: 'Open on Sunday?\nSunday?\n\nNo.\n\nNever.',
  }
  const state = show([source('s1', 'Open on Sunday?', { ...answer, inVersions: [5] })])
  const drawer = await open('Open on Sunday?')
  await press('Edit', drawer)
  const form = await dialog('Edit “Open on Sunday?”')
  expect(form.getByLabelText('Questions')).toHaveProperty('value', 'Open on Sunday?\nSunday?')
  expect(form.getByLabelText('Answer')).toHaveProperty('value', 'No.\n\nNever.')
  type(form.getByLabelText('Answer'), 'Yes.')
  await press('Replace in draft', form)
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
  expect(state.calls).toEqual([['replace', { id: 's1', questions: ['Open on Sunday?', 'Sunday?'], answer: 'Yes.' }]])
  expect(await (await dialog('Open on Sunday?')).findByText(/Yes\./)).toBeTruthy()
  expect(state.sources.map(({ id, inDraft }) => [id, inDraft])).toEqual([
    ['s101', true],
    ['s1', false],
  ])
})

test('what was read of a long text comes in parts', async () => {
  const body = `first ${'x'.repeat(20_000)} last`
  show([source('s1', 'Manual', { body, characters: body.length })])
  const read = within(await (await open('Manual')).findByRole('region', { name: 'Extracted text' }))
  await read.findByText(/^first/)
  expect(read.queryByText(/last$/)).toBeNull()
  await press('Show next part', read)
  expect(await read.findByText(/last$/)).toBeTruthy()
  expect(read.getByText('Characters 20,001 to 20,011')).toBeTruthy()
  expect(read.queryByRole('button')).toBeNull()
})

test('removing asks only where nothing keeps the source, and deleting says what loses it', async () => {
  const state = show([source('s1', 'Kept', { inVersions: [3, 4, 5] }), source('s2', 'New')])
  await press('Remove from draft', await open('Kept'))
  await waitFor(() => expect(state.calls).toEqual([['remove', { id: 's1' }]]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press('Remove from draft', await open('New'))
  const removal = await dialog('Remove “New”?')
  expect(removal.getByText('No version uses it, so it’s deleted for good.')).toBeTruthy()
  expect(state.calls).toHaveLength(1)
  await press('Cancel', removal)
  await userEvent.click((await dialog('New')).getByRole('button', { name: 'Close' }))

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(document.activeElement).toBe((await part()).getByRole('button', { name: 'New' }))
  await press('Delete everywhere', await open('Kept'))
  const question = await dialog('Delete “Kept” everywhere?')
  expect(question.getByText(/from versions 3–5 immediately\..*Version 5 is live\./)).toBeTruthy()
  await press('Delete everywhere', question)
  await waitFor(() => expect(state.sources.map(({ name }) => name)).toEqual(['New']))
})

test('what only old versions use goes after a question, and is not offered without any', async () => {
  const pinned = source('s1', 'Pinned', { inDraft: false, inVersions: [3] })
  const state = show([pinned, source('s2', 'Old', { inDraft: false, inVersions: [2] })])
  await press('Delete sources used only by old versions', await part())
  await press('Delete sources', await dialog('Delete sources used only by old versions?'))
  await waitFor(() => expect(state.calls).toEqual([['unused', { agentId: 'a1' }]]))

  cleanup()
  show([pinned])
  await (await part()).findByText('Pinned')
  expect((await part()).queryByRole('button', { name: 'Delete sources used only by old versions' })).toBeNull()
})

test('a question shows the passages with their scores and the words that they have', async () => {
  show([source('s1', 'Terms', { body: 'Within 30 days, today.' }), source('s2', 'Days')], 'WHOLE')
  const shown = await part()
  expect(await shown.findByText(/in full with every message/)).toBeTruthy()
  await userEvent.type(await shown.findByLabelText('Question'), 'How many days?{Enter}')
  const found = within(await shown.findByRole('list', { name: 'Matching passages' }))
  const [first, second] = found.getAllByRole('listitem')
  expect(first?.textContent).toContain('Returns > Time limits')
  expect(first?.textContent).toContain('Score 9.4')
  expect(second?.textContent).toContain('Score 4.7')
  expect([...(first?.querySelectorAll('mark') ?? [])].map(({ textContent }) => textContent)).toEqual(['days'])
  expect(shown.getByText('2 passages found')).toBeTruthy()
  await userEvent.clear(shown.getByLabelText('Question'))
  await userEvent.type(shown.getByLabelText('Question'), 'zzz')
  await press('Search', shown)
  expect(await shown.findByText('No matching passages.')).toBeTruthy()
})

test('a source has an address, also one that was deleted', async () => {
  show([source('s1', 'Terms')], 'SEARCH', '/agents/a1?knowledge=s1')
  expect(await (await dialog('Terms')).findByText('All about Terms.')).toBeTruthy()
  cleanup()
  show([], 'SEARCH', '/agents/a1?knowledge=s1')
  expect(await screen.findByText('There is no such source.')).toBeTruthy()
})

test.each([
  ['that the question names', true],
  ['that the service names', false],
])('discarding changes deletes sources %s only after that', async (_, named) => {
  const { state, fields } = knowledgeService([source('s1', 'New'), source('s2', 'Kept', { inVersions: [1] })])
  const sent: unknown[] = []
  const agent = agentService(fields, 1, {
    discardAgentChanges: ({ input }: { input: { removeKnowledge?: boolean } }) => {
      sent.push(input.removeKnowledge)
      if (!input.removeKnowledge) throw refusal('CONFLICT', 'Only the draft has “Later”.')
      return { agent: { id: 'a1' } }
    },
  })
  agent.change({ instructions: 'Be kinder.' })
  if (!named) state.sources = []
  renderPage('/agents/a1')
  await fromMenu('Discard changes')
  const question = await dialog('Discard unpublished changes to “Shop”?')
  await question.findByRole('list', { name: 'Changes to the instructions' })
  expect(question.queryByText('No version uses this source, so it’s deleted for good: “New”.') !== null).toBe(named)
  const discard = () => press('Discard changes', question)
  await discard()
  if (!named) {
    expect(await question.findByText('Only the draft has “Later”.')).toBeTruthy()
    await discard()
  }
  await waitFor(() => expect(sent).toEqual(named ? [true] : [undefined, true]))
})
