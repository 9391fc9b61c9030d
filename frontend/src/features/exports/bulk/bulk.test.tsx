import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { exportRow, exportService } from '@/testing/exportService'
import { renderApp } from '@/testing/renderApp'
import { renderPage } from '@/testing/renderPage'
import { typeMoment } from '../page/exportTesting'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.signedOut())

type Row = ReturnType<typeof exportRow>

/** An account with some exports, and how many changes were under way at once. */
function service(rows: Row[]) {
  const seen = { most: 0, updates: [] as object[] }
  let underWay = 0
  const change = async (id: string, to: Partial<Row>) => {
    underWay++
    seen.most = Math.max(seen.most, underWay)
    await Promise.resolve()
    underWay--
    if (id === 'e9') throw refusal('NOT_FOUND', 'There is no such export.')
    return { export: Object.assign(rows.find((row) => row.id === id) as Row, to) }
  }
  const pageInfo = { hasNextPage: false, hasPreviousPage: false, endCursor: null }
  answer({
    agents: { nodes: [], edges: [], pageInfo, totalCount: 0 },
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      createdAt: inMinutes(-1000),
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
      exports: ({ filter }: { filter: { state?: string } }) => ({
        nodes: rows
          .filter(({ state }) => !filter.state || state === filter.state)
          .map((row) => ({ ...row, agent: { id: 'a1', name: 'Shop' } })),
        edges: [],
        pageInfo,
      }),
    },
    pauseApiExport: ({ input: { id } }: { input: { id: string } }) => change(id, { state: 'PAUSED' }),
    resumeApiExport: ({ input: { id } }: { input: { id: string } }) => change(id, { state: 'ACTIVE' }),
    updateApiExport: ({ input }: { input: { id: string } & Partial<Row> }) => {
      seen.updates.push(input)
      return change(input.id, input)
    },
  })
  return seen
}

const open = () => {
  renderPage('/exports')
  return userEvent.setup()
}
const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => exportRow(`e${at}`, `Line ${at}`))
const chosen = () => document.querySelectorAll('tbody input:checked').length
const box = (name: string) => screen.findByLabelText(`Select “${name}”`)

test('rows are chosen one by one, as a range, or all, and the focus stays when the bar goes', async () => {
  service(rowsOf(8))
  const user = open()
  await user.click(await box('Line 1'))
  await user.keyboard('{Shift>}')
  await user.click(await box('Line 4'))
  await user.keyboard('{/Shift}')
  expect(screen.getByText('4 selected')).toBeTruthy()
  await user.click(await box('Line 2'))
  expect(screen.getByText('3 selected')).toBeTruthy()
  const [all] = screen.getAllByLabelText('Select all')
  expect(all).toHaveProperty('indeterminate', true)
  await user.click(all as HTMLElement)
  expect(chosen()).toBe(8)
  await user.click(screen.getByRole('button', { name: 'Clear selection' }))
  expect(chosen()).toBe(0)
  await waitFor(() => expect(document.activeElement).not.toBe(document.body))
})

test('X marks a row, Shift X all from the last marked one, and fields keep their letters', async () => {
  service(['e1', 'e2', 'e3', 'e4', 'e5'].map((id) => exportRow(id, `Export ${id}`)))
  renderApp('/exports')
  await screen.findByRole('link', { name: 'Export e1' })
  const marked = () =>
    screen.getAllByRole('checkbox', { name: /^Select “/ }).filter((box) => (box as HTMLInputElement).checked).length
  await userEvent.keyboard('x')
  expect(marked()).toBe(0) // no row has the focus
  await userEvent.keyboard('jjx')
  expect(screen.getByRole('checkbox', { name: 'Select “Export e2”' })).toHaveProperty('checked', true)
  expect(document.activeElement?.textContent).toBe('Export e2')
  await userEvent.keyboard('jj{Shift>}X{/Shift}')
  expect(marked()).toBe(3)
  expect(screen.getByText('3 selected')).toBeTruthy()
  await userEvent.keyboard('x')
  expect(marked()).toBe(2)
  await userEvent.type(screen.getByLabelText('Search exports'), 'xj')
  expect(marked()).toBe(2)
})

test('it says how many change and which are left out, sends at most four at once, and says how many changed', async () => {
  const rows = rowsOf(9)
  Object.assign(rows[0] as Row, { state: 'PAUSED' })
  Object.assign(rows[3] as Row, { state: 'EXPIRED' })
  const seen = service(rows)
  const user = open()
  await box('Line 1')
  await user.click(screen.getByLabelText('Select all'))
  await user.click(screen.getByRole('button', { name: 'Pause' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Pause exports' }))
  expect(dialog.getByText(/^7 exports will be paused/)).toBeTruthy()
  expect(dialog.getByText('2 skipped')).toBeTruthy()
  expect(dialog.getByText('Line 0 (already paused)')).toBeTruthy()
  expect(dialog.getByText('Line 3 (expired)')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Pause 7 exports' }))
  expect(await screen.findByText('7 paused, 2 failed: already paused; expired')).toBeTruthy()
  expect(seen.most).toBeLessThanOrEqual(4)
  expect(rows.filter(({ state }) => state === 'PAUSED')).toHaveLength(8)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('those that fail are named with the reason, and the others change', async () => {
  const rows = rowsOf(12)
  service(rows)
  const user = open()
  await box('Line 1')
  await user.click(screen.getByLabelText('Select all'))
  await user.click(screen.getByRole('button', { name: 'Pause' }))
  await user.click(await screen.findByRole('button', { name: 'Pause 12 exports' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('11 paused, 1 failed: There is no such export.')).toBeTruthy()
  expect(dialog.getByText('Line 9 (There is no such export.)')).toBeTruthy()
  expect(rows.filter(({ state }) => state === 'PAUSED')).toHaveLength(11)
})

test('a limit says whom it stops, leaves out those that have it, and changes nothing else', async () => {
  const rows = rowsOf(3)
  Object.assign(rows[0] as Row, { dailyCreditLimit: 50 })
  Object.assign(rows[1] as Row, { creditsUsedToday: 60 })
  const seen = service(rows)
  const user = open()
  await box('Line 1')
  await user.click(screen.getByLabelText('Select all'))
  await user.click(screen.getByRole('button', { name: 'Set a limit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Set a credit limit' }))
  await user.type(dialog.getByRole('textbox', { name: 'Credits per day (UTC)' }), '50')
  expect(dialog.getByText(/^1 has already used this much/)).toBeTruthy()
  expect(dialog.getByText('Line 0 (already set)')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Change 2 exports' }))
  expect(await screen.findByText('2 changed, 1 failed: already set')).toBeTruthy()
  expect(seen.updates).toEqual([
    { id: 'e1', dailyCreditLimit: 50 },
    { id: 'e2', dailyCreditLimit: 50 },
  ])
})

test('an expiry in the past is refused before anything is sent', async () => {
  const seen = service(rowsOf(2))
  const user = open()
  await user.click(await box('Line 0'))
  await user.click(screen.getByRole('button', { name: 'Set expiry' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Set expiry' }))
  await typeMoment(user, 'Expires', '2020-01-02T03:04')
  await user.click(dialog.getByRole('button', { name: 'Change 1 export' }))
  expect(dialog.getByText('Choose a future time, or leave it empty.')).toBeTruthy()
  expect(dialog.queryByText(/will change/)).toBeNull()
  await typeMoment(user, 'Expires', '2040-01-02T03:04')
  await user.click(dialog.getByRole('button', { name: 'Change 1 export' }))
  expect(await screen.findByText('1 changed')).toBeTruthy()
  expect(seen.updates).toEqual([{ id: 'e0', expiresAt: new Date('2040-01-02T03:04').toISOString() }])
})

test('removed exports cannot be chosen', async () => {
  service([{ ...exportRow('e1', 'Old'), state: 'REMOVED' }])
  renderPage('/exports?state=REMOVED')
  expect(await screen.findByRole('link', { name: 'Old' })).toBeTruthy()
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('all exports of an agent are paused after they are listed', async () => {
  const rows = exportService([exportRow('e1', 'Till'), { ...exportRow('e2', 'Web shop'), state: 'PAUSED' }])
  const agent = '00000000-0000-4000-8000-000000000001'
  renderPage(`/exports?agent=${agent}`)
  await userEvent.click(await screen.findByRole('button', { name: 'Pause all exports' }))
  expect(await screen.findByText(/To stop every request at once, take the agent offline/)).toBeTruthy()
  const dialog = within(screen.getByRole('dialog', { name: 'Pause all exports' }))
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Till'])
  expect(dialog.getByText('Web shop (already paused)')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Pause 1 export' }))
  await waitFor(() => expect(rows.map(({ state }) => state)).toEqual(['PAUSED', 'PAUSED']))
})
