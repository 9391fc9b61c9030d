import { screen, waitFor, within } from '@testing-library/react'
import type userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { apiKey, open, type Row, row, service } from './channelsTesting'

// The dialogs are loaded when first asked for, which on a busy machine takes a while.
vi.setConfig({ testTimeout: 30_000 })

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.signedOut())

async function create(user: ReturnType<typeof userEvent.setup>) {
  await user.click(await screen.findByRole('button', { name: 'Create API Export' }))
  return screen.findByTestId('api-key')
}

test('the key is shown in full, in no cache and no storage, and gone once saved', async () => {
  service()
  const { user, queryClient } = open()
  expect((await create(user)).textContent).toBe(apiKey)
  const cached = JSON.stringify([
    queryClient
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.data),
    queryClient
      .getMutationCache()
      .getAll()
      .map(({ state }) => state),
    { ...localStorage },
    { ...sessionStorage },
  ])
  expect(cached).not.toContain(apiKey)
  expect(screen.queryByRole('button', { name: 'Create API Export' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'I have saved the key' }))
  expect(document.body.innerHTML).not.toContain(apiKey)
  expect(document.body.textContent).toContain('$AGENTCHAT_API_KEY')
  expect(await screen.findByText('agc_…n0')).toBeTruthy()
})

test('Escape does not lose the key silently', async () => {
  service()
  const { user, router } = open()
  await create(user)
  await user.keyboard('{Escape}')
  const question = await screen.findByRole('alertdialog', { name: 'Have you saved the key?' })
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep showing it'))
  await user.click(within(question).getByRole('button', { name: 'Keep showing it' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(screen.getByTestId('api-key').textContent).toBe(apiKey)
  expect(router.state.location.href).toBe('/agent?node=channels')
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Leave without the key' }))
  await waitFor(() => expect(router.state.location.href).toBe('/agent'))
  await waitFor(() => expect(document.body.innerHTML).not.toContain(apiKey))
})

test('Back asks too, and after saving it does not', async () => {
  service()
  const { user, router } = open()
  await create(user)
  router.history.back()
  await user.click(await screen.findByRole('button', { name: 'Keep showing it' }))
  expect(router.state.location.pathname).toBe('/agent')
  await user.click(screen.getByRole('button', { name: 'I have saved the key' }))
  router.history.back()
  expect(await screen.findByText('Before')).toBeTruthy()
})

test('the drawer stays open until the key has come', async () => {
  let arrive: (made: unknown) => void = () => undefined
  answer({
    agent: { id: 'a1', exports: [] },
    createApiExport: () => new Promise((resolve) => (arrive = resolve)),
  })
  const { user, router } = open()
  const before = arrive
  await user.click(await screen.findByRole('button', { name: 'Create API Export' }))
  await waitFor(() => expect(arrive).not.toBe(before))
  await user.keyboard('{Escape}')
  arrive({ apiKey, export: row('e1', 'API export') })
  expect((await screen.findByTestId('api-key')).textContent).toBe(apiKey)
  expect(router.state.location.href).toBe('/agent?node=channels')
})

test('a draft cannot be exported, and it says why', async () => {
  service()
  open({ agentState: 'DRAFT' })
  const button = await screen.findByRole('button', { name: 'Create API Export' })
  expect(button.hasAttribute('disabled')).toBe(true)
  expect(screen.getByText(/The agent is not live/).id).toBe(button.getAttribute('aria-describedby'))
})

test('a sandbox agent says that its replies are made up', async () => {
  service()
  open({ sandbox: true })
  expect(await screen.findByText(/made-up replies for testing/)).toBeTruthy()
})

test('removing names the export and its last use, with the focus on Cancel, and moves the row', async () => {
  service([row('e1', 'Web shop', inMinutes(-120)), row('e2', 'Other')])
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Remove “Web shop”' }))
  const dialog = await screen.findByRole('dialog', { name: 'Remove export “Web shop”?' })
  expect(within(dialog).getByText(/Last used/).textContent).toContain('2 hours ago')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'))
  await user.click(within(dialog).getByRole('button', { name: 'Remove export' }))
  const removed = await screen.findByRole('region', { name: 'Removed exports' })
  expect(within(removed).getByText('Web shop')).toBeTruthy()
  const inUse = screen.getByRole('region', { name: 'Exports in use' })
  expect(within(inUse).queryByText('Web shop')).toBeNull()
  expect(within(inUse).getByText('Other')).toBeTruthy()
})

test('replacing makes a new export, shows its key, then offers the removal of the old one', async () => {
  const rows = service([row('e1', 'Web shop', inMinutes(-3))])
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Replace key of “Web shop”' }))
  expect((await screen.findByTestId('api-key')).textContent).toBe(apiKey)
  expect(rows.map(({ name, rateLimitPerMinute }) => [name, rateLimitPerMinute])).toEqual([
    ['Web shop', 600],
    ['Web shop', 600],
  ])
  const notice = screen.getByRole('region', { name: 'Replacing a key' })
  expect(notice.textContent).toContain('agc_…e1')
  expect(notice.textContent).toContain('3 minutes ago')
  await user.click(screen.getByRole('button', { name: 'I have saved the key' }))
  await user.click(within(notice).getByRole('button', { name: 'Remove the old export' }))
  await user.click(await screen.findByRole('button', { name: 'Remove export' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Replacing a key' })).toBeNull())
  expect(rows.map(({ state }) => state)).toEqual(['REMOVED', 'ACTIVE'])
})

test('the notice of a replacement goes with the new export too, so that it cannot take the only working key', async () => {
  const rows = service([row('e1', 'Web shop', inMinutes(-3))])
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Replace key of “Web shop”' }))
  await user.click(await screen.findByRole('button', { name: 'I have saved the key' }))
  expect(screen.getByRole('region', { name: 'Replacing a key' })).toBeTruthy()
  const [, newer] = await screen.findAllByRole('button', { name: 'Remove “Web shop”' })
  await user.click(newer as HTMLElement)
  await user.click(await screen.findByRole('button', { name: 'Remove export' }))
  await waitFor(() => expect(rows.map(({ state }) => state)).toEqual(['ACTIVE', 'REMOVED']))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Replacing a key' })).toBeNull())
})

test('a name is edited inline; an error is shown at its field, and Escape closes only the form', async () => {
  service([row('e1', 'Web shop')])
  const { user, router } = open()
  await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
  const form = screen.getByRole('form', { name: 'Edit “Web shop”' })
  const name = within(form).getByLabelText('Name')
  await user.clear(name)
  await user.type(name, 'taken')
  await user.click(within(form).getByRole('button', { name: 'Save' }))
  expect(await within(form).findByText('Not that name.')).toBeTruthy()
  await user.clear(name)
  await user.type(name, 'New name')
  await user.click(within(form).getByRole('button', { name: 'Save' }))
  await user.click(await screen.findByRole('button', { name: 'Edit “New name”' }))
  await user.type(screen.getByLabelText('Name'), ' more{Escape}')
  expect(screen.queryByRole('form', { name: 'Edit “New name”' })).toBeNull()
  expect(router.state.location.href).toBe('/agent?node=channels')
})

test('an export is pinned to a version, and released again; its replacement is pinned too', async () => {
  const rows = service([row('e1', 'Web shop')])
  const { user } = open()
  const choose = async (from: string, to: RegExp) => {
    await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
    const field = screen.getByRole('combobox', { name: 'Version' })
    expect(field).toHaveProperty('value', from)
    await user.click(field)
    await user.click(await screen.findByRole('option', { name: to }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
  }
  expect(await screen.findByText('Follows the published version (now 3)')).toBeTruthy()
  await choose('Follows the published version (now 3)', /^Version 2\s*Kinder$/)
  expect(await screen.findByText('Version 2 (pinned)')).toBeTruthy()
  expect(rows[0]?.version).toBe(2)

  await choose('Version 2', /^Follows/)
  await waitFor(() => expect(rows[0]?.version).toBeNull())

  await choose('Follows the published version (now 3)', /^Version 1$/)
  await user.click(await screen.findByRole('button', { name: 'Replace key of “Web shop”' }))
  await waitFor(() => expect(rows.map((one) => one.version)).toEqual([1, 1]))
})

test('an export is paused and resumed, and stays in the list', async () => {
  const rows = service([row('e1', 'Web shop')])
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Pause “Web shop”' }))
  const resume = await screen.findByRole('button', { name: 'Resume “Web shop”' })
  expect(rows[0]?.state).toBe('PAUSED')
  const used = screen.getByRole('region', { name: 'Exports in use' })
  expect(within(used).getByText('Paused')).toBeTruthy()
  await user.click(resume)
  expect(await screen.findByRole('button', { name: 'Pause “Web shop”' })).toBeTruthy()
  expect(within(used).getByText('Active')).toBeTruthy()
})

test('an expiry is set in local time, left alone when it stays, and cleared', async () => {
  const sent: unknown[] = []
  const rows = service([row('e1', 'Web shop')])
  const edit = async (change: (field: HTMLElement) => Promise<unknown>) => {
    await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
    await change(screen.getByLabelText('Expires'))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('button', { name: 'Edit “Web shop”' })
    sent.push(rows[0]?.expiresAt)
  }
  const { user } = open()
  await edit((field) => user.type(field, '2030-05-06T07:08'))
  expect(await screen.findByText('Expires')).toBeTruthy()
  Object.assign(rows[0] as Row, { expiresAt: '2030-05-06T07:08:09.123456Z' })
  await edit(async () => {})
  await edit((field) => user.clear(field))
  expect(sent).toEqual([new Date('2030-05-06T07:08').toISOString(), '2030-05-06T07:08:09.123456Z', null])
})

test('Escape closes the open list of versions before the form', async () => {
  service([row('e1', 'Web shop')])
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
  const field = screen.getByRole('combobox', { name: 'Version' })
  await user.click(field)
  expect(await screen.findByRole('option', { name: /^Version 1$/ })).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(screen.getByRole('form', { name: 'Edit “Web shop”' })).toBeTruthy()
  await waitFor(() => expect(field.getAttribute('aria-expanded')).toBe('false'))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Edit “Web shop”' })).toBeNull())
})

test('a failed creation is shown with its request ID', async () => {
  answer({
    agent: { id: 'a1', exports: [] },
    createApiExport: () => {
      throw refusal('CONFLICT', 'The agent is a draft.')
    },
  })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Create API Export' }))
  const message = await screen.findByText('The agent is a draft.')
  expect(message.closest('[role="alert"]')?.textContent).toContain('req-1')
  expect(screen.queryByTestId('api-key')).toBeNull()
})
