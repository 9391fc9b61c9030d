import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { inMinutes } from '@/shared/testing/server'
import { apiKey, exportKey, exportRow as row, exportService as service } from '@/testing/exportService'
import { open, typeMoment } from '../page/exportTesting'

// The dialogs are loaded when first asked for, which on a busy machine takes a while.
beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.signedOut())

/** An export whose key is being replaced. */
const replaced = () => ({
  ...row('e1', 'Web shop'),
  keys: [
    exportKey('new', inMinutes(-5.5)),
    { ...exportKey('old', inMinutes(-120.5)), stopsAt: inMinutes(3 * 24 * 60 + 5) },
  ],
})

const rowsOfKeys = () => within(screen.getByRole('region', { name: 'Keys' })).getAllByRole('listitem')

async function replace(user: UserEvent, choice: string, time?: string) {
  await user.click(await screen.findByRole('button', { name: 'Replace key' }))
  const dialog = await screen.findByRole('dialog', { name: 'Replace key of “Web shop”' })
  await user.click(within(dialog).getByRole('radio', { name: choice }))
  if (time) await typeMoment(user, 'Expires at', time)
  await user.click(within(dialog).getByRole('button', { name: 'Create new key' }))
}

test('a replaced key is shown in full once, in no cache and no storage, beside the one that works on', async () => {
  const rows = service([row('e1', 'Web shop', inMinutes(-3))])
  const { user, queryClient } = open('e1')
  await replace(user, 'In 7 days')
  expect((await screen.findByTestId('api-key')).textContent).toBe(apiKey)
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Key of “Web shop”'))
  const ofKeys = queryClient.getQueryCache().getAll()
  const ofMutations = queryClient.getMutationCache().getAll()
  const kept = [ofKeys.map(({ state }) => state.data), ofMutations.map(({ state }) => state)]
  expect(JSON.stringify([kept, { ...localStorage }, { ...sessionStorage }])).not.toContain(apiKey)
  expect(screen.queryByRole('button', { name: 'Replace key' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'I’ve saved the key' }))
  expect(document.body.innerHTML).not.toContain(apiKey)
  expect(document.activeElement?.textContent).toBe('Keys')
  await waitFor(() => expect(rowsOfKeys()).toHaveLength(2))
  const [newer, older] = rowsOfKeys()
  expect(newer?.textContent).toMatch(/^New key.*ExpiresNever/)
  expect(older?.textContent).toMatch(/^Old key.*3 minutes ago.*Expires.*next week/)
  expect(rows).toHaveLength(1)
})

test.each([
  ['In 1 hour', 3_600_000],
  ['In 24 hours', 24 * 3_600_000],
  ['Immediately', undefined],
])('%s is asked of the service', async (choice, ms) => {
  const rows = service([row('e1', 'Web shop')])
  const { user } = open('e1')
  await replace(user, choice)
  await screen.findByTestId('api-key')
  const stopsAt = rows[0]?.keys[1]?.stopsAt
  if (ms === undefined) expect(rows[0]?.keys.map(({ id }) => id)).toEqual(['e1-new'])
  else expect(Math.abs(Date.parse(stopsAt ?? '') - Date.now() - ms)).toBeLessThan(60_000)
})

test('a time is local, and refused at its field unless it is within 30 days', async () => {
  const rows = service([row('e1', 'Web shop')])
  const { user } = open('e1')
  await replace(user, 'At a set time', '2001-02-03T04:05')
  expect(await screen.findByText('Choose a time within the next 30 days.')).toBeTruthy()
  const chosen = new Date(Date.now() + 5 * 24 * 3_600_000)
  chosen.setSeconds(0, 0)
  const local = new Date(chosen.getTime() - chosen.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  await typeMoment(user, 'Expires at', local)
  await user.click(screen.getByRole('button', { name: 'Create new key' }))
  await screen.findByTestId('api-key')
  expect(rows[0]?.keys[1]?.stopsAt).toBe(chosen.toISOString())
})

test('leaving asks for the key that is shown', async () => {
  service([row('e1', 'Web shop')])
  const { user, router } = open('e1')
  await replace(user, 'In 7 days')
  await screen.findByTestId('api-key')
  await user.click(screen.getByRole('link', { name: 'View all' }))
  expect(await screen.findByRole('alertdialog', { name: 'Did you save the key?' })).toBeTruthy()
  expect(router.state.location.pathname).toBe('/exports/e1')
})

test('what the service refuses is said in the dialog, and no key is shown', async () => {
  const rows = service([row('e1', 'Web shop')])
  const { user } = open('e1')
  await user.click(await screen.findByRole('button', { name: 'Replace key' }))
  const submit = await screen.findByRole('button', { name: 'Create new key' })
  rows.splice(0, 1, replaced()) // in another tab
  await user.click(submit)
  expect(await screen.findByText('The export has two keys.')).toBeTruthy()
  expect(screen.queryByTestId('api-key')).toBeNull()
})

test('who still uses the old key is said: both keys have their last use, and the older one whether it was after the change', async () => {
  const [newer, older] = replaced().keys
  if (!newer || !older) throw new Error('two keys')
  const rows = service([
    {
      ...replaced(),
      keys: [
        { ...newer, createdAt: inMinutes(-10), lastUsedAt: inMinutes(-2) },
        { ...older, lastUsedAt: inMinutes(-5) },
      ],
    },
  ])
  const { queryClient } = open('e1')
  expect(await screen.findByText(/^The old key is still in use: last used 5 minutes ago\./)).toBeTruthy()
  expect(rowsOfKeys().map((key) => key.textContent)).toEqual([
    expect.stringContaining('Last used2 minutes ago'),
    expect.stringContaining('Last used5 minutes ago'),
  ])
  const [row] = rows
  if (row) row.keys = [newer, { ...older, lastUsedAt: inMinutes(-90) }]
  await queryClient.invalidateQueries()
  expect(await screen.findByText(/^The old key hasn’t been used since\./)).toBeTruthy()
})

test('with two keys there is no other, and the reason is said', async () => {
  service([replaced()])
  open('e1')
  expect(await screen.findByText(/An export can have two keys/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Replace key' })).toBeNull()
  expect(rowsOfKeys()[1]?.textContent).toContain('in 3 days')
})

test.each([
  ['old', 'new', 'The other key keeps working.'],
  ['new', 'old', 'The old key keeps working and no longer expires.'],
])('the %s one of two keys is ended now, and the other stays', async (ended, kept, words) => {
  const rows = service([replaced()])
  const { user } = open('e1')
  await user.click(await screen.findByRole('button', { name: `Revoke the ${ended} key` }))
  const dialog = await screen.findByRole('dialog', { name: `Revoke the ${ended} key?` })
  expect(within(dialog).getByText(words)).toBeTruthy()
  expect(within(dialog).getByText(/Last used/).textContent).toContain(ended === 'old' ? '2 hours ago' : '5 minutes ago')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'))
  await user.click(within(dialog).getByRole('button', { name: 'Revoke key' }))
  expect(await screen.findByRole('button', { name: 'Replace key' })).toBeTruthy()
  expect(rowsOfKeys().map((key) => key.textContent)).toEqual([expect.stringMatching(/^Key.*ExpiresNever/)])
  expect(rows[0]?.keys.map(({ id }) => id)).toEqual([kept])
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Keys'))
})

test('only the older key’s time is moved', async () => {
  const rows = service([replaced()])
  const { user } = open('e1')
  await user.click(await screen.findByRole('button', { name: 'Change when the old key expires' }))
  expect(screen.getAllByRole('button', { name: /^Change when/ })).toHaveLength(1)
  const dialog = await screen.findByRole('dialog', { name: 'Change when the old key expires' })
  expect(within(dialog).queryByRole('radio', { name: 'Immediately' })).toBeNull()
  await user.click(within(dialog).getByRole('radio', { name: 'In 24 hours' }))
  await user.click(within(dialog).getByRole('button', { name: 'Change expiry' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(rows[0]?.keys.map(({ stopsAt }) => stopsAt !== null)).toEqual([false, true])
  expect(rowsOfKeys()[1]?.textContent).toMatch(/in (23 hours|1 day|24 hours)|tomorrow/)
})
