import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { inMinutes } from '@/shared/testing/server'
import { type ExportRow, exportRow as row, exportService as service } from '@/testing/exportService'
import { open, typeMoment } from './exportTesting'

// The dialogs are loaded when first asked for, which on a busy machine takes a while.
beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.signedOut())

test('it says what the export is, what it used, and what was called last, with links to all of it', async () => {
  const failed = { id: 'q1', requestId: 'req-1', at: inMinutes(-2), outcome: 'FAILED', status: 504 }
  service([{ ...row('e1', 'Web shop', inMinutes(-3)), version: 2 }], {
    requests: [{ ...failed, code: 'model_timeout', credits: 0, durationMs: 55_000 }],
    use: { messages: 989, failed: 11, refused: 4, credits: 1_978 },
  })
  open('e1')
  expect(await screen.findByRole('heading', { name: 'Web shop', level: 1 })).toBeTruthy()
  const href = async (name: string | RegExp) => (await screen.findByRole('link', { name })).getAttribute('href')
  expect(await href('Shop')).toBe('/agents/a1/channels')
  expect(await href('Version 2 (pinned)')).toBe('/agents/a1/versions?open=2')
  expect(await screen.findByText('1,978 credits')).toBeTruthy()
  expect(screen.getByText('989 messages · 98.9% answered')).toBeTruthy()
  expect(await href('4 rejected')).toBe('/activity/requests?exportId=e1&outcome=REFUSED')
  const calls = within(await screen.findByRole('region', { name: 'Recent requests' }))
  const [, call] = await calls.findAllByRole('row')
  expect(call?.textContent).toContain('504 model_timeout')
  expect(call?.textContent).toContain('55.0 s')
  expect(call?.querySelector('a')?.getAttribute('href')).toBe('/activity/requests?exportId=e1&id=q1')
  expect(await href('View all')).toBe('/activity/requests?exportId=e1')
})

test('an unknown export leads back to the list', async () => {
  service([])
  open('e1')
  expect(await screen.findByText('API export not found')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'All API exports' }).getAttribute('href')).toBe('/exports')
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
})

test('acceptance 7: removing names the export and its last use, with the focus on Cancel, and moves its row', async () => {
  service([row('e1', 'Web shop', inMinutes(-120)), row('e2', 'Till')])
  const { user, router } = open('e1')
  await act(() => router.navigate({ to: '/exports' }))
  await user.click(await screen.findByRole('link', { name: 'Web shop' }))
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove' }))
  const dialog = await screen.findByRole('dialog', { name: 'Remove export “Web shop”?' })
  expect(within(dialog).getByText(/Last used/).textContent).toContain('2 hours ago')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'))
  await user.click(within(dialog).getByRole('button', { name: 'Remove export' }))
  const notice = await screen.findByText(/^This export was removed/)
  await waitFor(() => expect(document.activeElement).toBe(notice))
  for (const name of ['Replace key', 'Edit “Web shop”', 'Pause “Web shop”', 'More actions']) {
    expect(screen.queryByRole('button', { name })).toBeNull()
  }
  expect(within(screen.getByRole('region', { name: 'Keys' })).getAllByRole('listitem')).toHaveLength(1)
  const names = () => [...document.querySelectorAll('tbody a')].map((link) => link.textContent)
  await act(() => router.navigate({ to: '/exports' }))
  await waitFor(() => expect(names()).toEqual(['Till']))
  await user.click(screen.getByRole('combobox', { name: 'State' }))
  await user.click(await screen.findByRole('option', { name: 'Removed' }))
  await waitFor(() => expect(names()).toEqual(['Web shop']))
})

test('a name is edited in a dialog; an error is shown at its field, and Escape closes it', async () => {
  service([row('e1', 'Web shop')])
  const { user } = open('e1')
  await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
  const form = await screen.findByRole('dialog', { name: 'Edit “Web shop”' })
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
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Edit'))
})

test('an export is pinned to a version, and released again', async () => {
  const rows = service([row('e1', 'Web shop')])
  const { user } = open('e1')
  const choose = async (from: string, to: RegExp) => {
    await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
    const field = await screen.findByRole('combobox', { name: 'Version' })
    expect(field).toHaveProperty('value', from)
    await user.click(field)
    await user.click(await screen.findByRole('option', { name: to }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  expect(await screen.findByText('Published version (now 3)')).toBeTruthy()
  await choose('Published version (now 3)', /^Version 2\s*Kinder$/)
  expect(await screen.findByText('Version 2 (pinned)')).toBeTruthy()
  expect(rows[0]?.version).toBe(2)
  await choose('Version 2', /^Published version/)
  await waitFor(() => expect(rows[0]?.version).toBeNull())
})

test('an export is paused and resumed', async () => {
  const rows = service([row('e1', 'Web shop')])
  const { user } = open('e1')
  await user.click(await screen.findByRole('button', { name: 'Pause “Web shop”' }))
  const resume = await screen.findByRole('button', { name: 'Resume “Web shop”' })
  expect(rows[0]?.state).toBe('PAUSED')
  expect(screen.getByText('Paused')).toBeTruthy()
  await user.click(resume)
  expect(await screen.findByRole('button', { name: 'Pause “Web shop”' })).toBeTruthy()
  expect(screen.getByText('Active')).toBeTruthy()
})

test('an expiry is set in local time, left alone when it stays, and cleared', async () => {
  const sent: unknown[] = []
  const rows = service([row('e1', 'Web shop')])
  const edit = async (change: (field: HTMLElement) => Promise<unknown>) => {
    await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
    await change(await screen.findByLabelText('Expires'))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    sent.push(rows[0]?.expiresAt)
  }
  const { user } = open('e1')
  await edit(() => typeMoment(user, 'Expires', '2030-05-06T07:08'))
  Object.assign(rows[0] as ExportRow, { expiresAt: '2030-05-06T07:08:09.123456Z' })
  await edit(async () => {})
  await edit((field) => user.clear(field))
  expect(sent).toEqual([new Date('2030-05-06T07:08').toISOString(), '2030-05-06T07:08:09.123456Z', null])
})

test('Escape closes the open list of versions before the form', async () => {
  service([row('e1', 'Web shop')])
  const { user } = open('e1')
  await user.click(await screen.findByRole('button', { name: 'Edit “Web shop”' }))
  const field = await screen.findByRole('combobox', { name: 'Version' })
  await user.click(field)
  expect(await screen.findByRole('option', { name: /^Version 1$/ })).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(screen.getByRole('dialog', { name: 'Edit “Web shop”' })).toBeTruthy()
  await waitFor(() => expect(field.getAttribute('aria-expanded')).toBe('false'))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
