import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'
import { replaceIn, searchFor } from './replacing'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.signedOut())

test.each([
  ['a.b (c) a.b', { find: 'a.b', replaceWith: '$&\\', matchCase: true }, '$&\\ (c) $&\\', 2],
  ['Tea, TEA, tea', { find: 'tea', replaceWith: 'coffee', matchCase: false }, 'coffee, coffee, coffee', 3],
  ['Tea, TEA, tea', { find: 'tea', replaceWith: '', matchCase: true }, 'Tea, TEA, ', 1],
  ['one\ntwo 😀', { find: '\ntwo 😀', replaceWith: '!', matchCase: false }, 'one!', 1],
])('%j: %j', (text, replacement, after, matches) => {
  expect(replaceIn(text, replacement)).toEqual({ matches, after })
})

test('the service searches for the first 100 characters', () => {
  expect(searchFor('😀'.repeat(101))).toBe('😀'.repeat(100))
  expect(searchFor(' \n')).toBeUndefined()
})

/** 26 agents, of which one has no match, one becomes too long, and one is changed by somebody else. */
function service() {
  const input: Record<string, unknown>[] = []
  const rows = Array.from({ length: 26 }, (_, at) => ({
    id: `a${at}`,
    name: `Line ${at}`,
    description: '',
    state: at === 1 ? 'DRAFT' : 'LIVE',
    missing: [],
    instructions: at === 0 ? 'Sell tea.' : at === 2 ? `shop${'x'.repeat(32_764)}` : 'Our shop. Shop!',
    updatedAt: inMinutes(-at),
    hasUnpublishedChanges: false,
    lastUsedAt: null,
    publishedVersion: { number: 1 },
    model: { name: 'm', label: 'Model' },
    exports: [],
  }))
  answer({
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: { id: '1', name: 'Ada', creditBalance: 100, creditsHeld: 0, creditsAvailable: 100, usage: [] },
    agents: ({ first, after }: { first: number; after?: string | null }) => {
      const start = Number(after ?? 0)
      const pageInfo = {
        hasNextPage: start + first < rows.length,
        hasPreviousPage: false,
        endCursor: `${start + first}`,
      }
      return { nodes: rows.slice(start, start + first), edges: [], pageInfo, totalCount: rows.length }
    },
    updateAgent: (args: { input: Record<string, unknown> }) => {
      if (args.input.id === 'a3') throw refusal('CONFLICT', 'The agent has changed.')
      input.push(args.input)
      return { agent: rows.find(({ id }) => id === args.input.id) }
    },
  })
  return { input, rows }
}

test('acceptance 20: a word is replaced in many drafts; those that changed meanwhile or become too long are named', async () => {
  const { input, rows } = service()
  renderPage('/agents')
  await userEvent.click(await screen.findByRole('button', { name: 'Find and replace' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Find and replace in instructions' }))
  await userEvent.type(dialog.getByLabelText('Find'), 'shop')
  await userEvent.type(dialog.getByLabelText('Replace with'), 'store')
  expect(await dialog.findByText('49 matches in 25 agents')).toBeTruthy()
  expect(dialog.queryByText('Line 0')).toBeNull()
  expect(dialog.getByLabelText('Line 2')).toHaveProperty('disabled', true)
  expect(dialog.getByText('would be over 32,768 characters')).toBeTruthy()
  await userEvent.click(dialog.getByLabelText('Line 4'))
  await userEvent.click(dialog.getByRole('button', { name: 'Replace in 23 drafts' }))

  expect(await dialog.findByText('22 drafts changed')).toBeTruthy()
  const skipped = dialog.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(skipped).toEqual(['Line 3: changed elsewhere; open it to check', 'Line 2: would be over 32,768 characters'])
  expect(input).toHaveLength(22)
  expect(input.find(({ id }) => id === 'a5')).toEqual({
    id: 'a5',
    instructions: 'Our store. store!',
    expectedUpdatedAt: rows[5]?.updatedAt,
  })
  // One of them is not live, and stays so.
  expect(dialog.getByRole('button', { name: 'Review and publish 21 agents' })).toBeTruthy()
})

test('case matters if it should, and without a match nothing can be replaced', async () => {
  service()
  renderPage('/agents')
  await userEvent.click(await screen.findByRole('button', { name: 'Find and replace' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Find'), 'SHOP')
  expect(await dialog.findByText('49 matches in 25 agents')).toBeTruthy()
  await userEvent.click(dialog.getByLabelText('Match case'))
  expect(await dialog.findByText('No draft contains this text.')).toBeTruthy()
  await waitFor(() =>
    expect(dialog.getByRole('button', { name: 'Replace in 0 drafts' })).toHaveProperty('disabled', true),
  )
})
