import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { CreditFilter } from '@/gql/graphql'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'

afterEach(() => session.forget())

type Asked = { first: number; after?: string; filter?: CreditFilter }

const hostile = '=cmd|"/c calc"!A1'
const pages = [4, 3, 2, 1, 0]

/** A service whose history has five entries, two a page; the agent of the charges is gone. */
function service({ available = 1_000, failAt }: { available?: number; failAt?: string } = {}) {
  const asked: Asked[] = []
  const creditHistory = (args: Asked) => {
    asked.push(args)
    if (failAt && args.after === failAt) throw refusal('INTERNAL', 'The fault is ours.')
    const left = pages.filter((id) => args.after === undefined || args.after === null || id < Number(args.after))
    const shown = left.slice(0, 2)
    return {
      nodes: shown.map((id) => ({
        id: String(id),
        kind: id === 0 ? 'GRANT' : 'CHARGE',
        amount: id === 0 ? 1_000 : -5,
        balanceAfter: 1_000 - 5 * id,
        createdAt: new Date(Date.UTC(2026, 0, 1 + id)).toISOString(),
        note: id === 0 ? hostile : null,
        agentName: id === 0 ? null : 'Gone agent',
        exportName: id === 0 ? null : 'Shop, "main"',
        turn: id === 4 ? { id: 't', conversationId: 'c-4' } : null,
      })),
      pageInfo: { hasNextPage: left.length > 2, hasPreviousPage: false, endCursor: String(shown.at(-1) ?? '') },
    }
  }
  const pageInfo = { hasNextPage: false, hasPreviousPage: false }
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: 'Ask for more', supportContact: '' },
    agents: { nodes: [], pageInfo, totalCount: 0 },
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      createdAt: new Date(Date.UTC(2026, 0, 1)).toISOString(),
      creditBalance: available,
      creditsHeld: 0,
      creditsAvailable: available,
      exports: { nodes: [], pageInfo },
      creditHistory,
      usage: [
        { start: new Date(2026, 0, 1).toISOString(), credits: 70, messages: 14 },
        { start: new Date(2026, 0, 2).toISOString(), credits: 0, messages: 0 },
      ],
    },
  })
  session.signedIn('good', inMinutes(15), Date.now())
  return asked
}

/** Catches what the page hands to the browser as a file. */
function catchFile() {
  const files: Blob[] = []
  URL.createObjectURL = (file) => {
    files.push(file as Blob)
    return 'blob:file'
  }
  URL.revokeObjectURL = () => undefined
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  return files
}

test('shows the balance and how long it lasts, and every page of the history', async () => {
  service()
  renderApp('/credits')
  expect((await screen.findByTestId('available')).textContent).toBe('1,000 credits')
  expect(await screen.findByText('Lasts about 100 days at the rate of the last 7 days')).toBeTruthy()
  expect(screen.queryByText('Ask for more')).toBeNull()
  expect(await screen.findAllByTestId('credit-entry')).toHaveLength(2)
  expect(screen.getAllByText('Gone agent')).toHaveLength(2)
  expect(screen.getByRole('link', { name: 'Open conversation with Gone agent' }).getAttribute('href')).toBe(
    '/conversations/c-4',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(screen.getAllByTestId('credit-entry')).toHaveLength(4))
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(screen.getAllByTestId('credit-entry')).toHaveLength(5))
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('the usage has every day in its table', async () => {
  service()
  renderApp('/credits?view=table')
  await screen.findByText('Total')
  const rows = screen.getAllByRole('row')
  const texts = rows.map((row) => row.textContent)
  expect(texts).toContain('Jan 2, 202600')
  expect(texts).toContain('Jan 1, 20267014')
  expect(texts).toContain('Total7014')
})

test('filters stand in the address, and what is nonsense there is left out', async () => {
  const asked = service()
  const { router } = renderApp('/credits?kind=CHARGE&agent=nonsense&from=2026-01-02&to=2026-01-03')
  await screen.findAllByTestId('credit-entry')
  expect(asked.at(-1)?.filter).toMatchObject({
    kind: 'CHARGE',
    from: new Date(2026, 0, 2).toISOString(),
    to: new Date(2026, 0, 4).toISOString(),
  })
  expect(asked.at(-1)?.filter?.agentId).toBeUndefined()
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(router.state.location.href).toBe('/credits'))
  await waitFor(() => expect(asked.at(-1)?.filter?.kind).toBeUndefined())
})

test('the CSV holds all filtered rows, and no formula', async () => {
  const asked = service()
  const files = catchFile()
  renderApp('/credits?kind=CHARGE')
  await userEvent.click(await screen.findByRole('button', { name: 'Download CSV' }))
  await waitFor(() => expect(files).toHaveLength(1))
  const bytes = new Uint8Array(await (files[0] as Blob).arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const lines = new TextDecoder().decode(bytes).split('\r\n')
  expect(lines).toHaveLength(1 + 5 + 1)
  expect(lines[1]).toBe('"2026-01-05T00:00:00.000Z","Charge","Gone agent","Shop, ""main""",,0,5,980,"c-4","4"')
  expect(lines[5]).toBe(`"2026-01-01T00:00:00.000Z","Grant",,,"'=cmd|""/c calc""!A1",1000,0,1000,,"0"`)
  const downloads = asked.filter(({ first }) => first === 100)
  expect(downloads).toHaveLength(3)
  for (const { filter } of downloads) expect(filter?.kind).toBe('CHARGE')
  expect(await screen.findByRole('button', { name: 'Download CSV' })).toBeTruthy()
})

test('a download that fails leaves no file and says why', async () => {
  service({ failAt: '3' })
  const files = catchFile()
  renderApp('/credits')
  await userEvent.click(await screen.findByRole('button', { name: 'Download CSV' }))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('The fault is ours.')
  expect(alert.textContent).toContain('req-1')
  expect(files).toHaveLength(0)
})

test('without credits a banner says what to do', async () => {
  service({ available: 0 })
  renderApp('/credits')
  const title = await screen.findByText('No credits left')
  const banner = title.closest('[role=status]') as HTMLElement
  expect(await within(banner).findByText('Ask for more')).toBeTruthy()
})

// The service's account uses 10 credits a day.
test.each([
  [1_000, null, 'Credits available: 1,000. They last about 100 days. Open credits'],
  [20, 'low', 'Credits available: 20. They last about 2 days. Open credits'],
  [0, 'none', 'Credits available: 0. Open credits'],
])('with %d credits the header shows the state %s', async (available, state, name) => {
  service({ available })
  renderApp('/credits')
  const chip = await screen.findByRole('link', { name })
  await waitFor(() => expect(chip.getAttribute('data-state')).toBe(state))
})
