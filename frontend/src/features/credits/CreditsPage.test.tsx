import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { CreditFilter } from '@/gql/graphql'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'
import { renderPage } from '@/testing/renderPage'

afterEach(() => {
  session.forget()
  vi.unstubAllGlobals()
})

type Asked = { first: number; after?: string; filter?: CreditFilter }

const hostile = '=cmd|"/c calc"!A1'
const pages = [4, 3, 2, 1, 0]
/** The month of the history, which is over. */
const january = 'range=own&from=2026-01-01&to=2026-01-31'

type Service = { available?: number; failAt?: string; odd?: object; topUpUrl?: () => string | null }

/** A service whose history has a grant on January 1 and four charges on January 2, two per page. Their agent was deleted. */
function service({ available = 1_000, failAt, odd, topUpUrl }: Service = {}) {
  const asked: Asked[] = []
  const creditHistory = (args: Asked) => {
    asked.push(args)
    if (failAt && args.after === failAt) throw refusal('INTERNAL', 'The fault is ours.')
    const { kind, from, to } = args.filter ?? {}
    const left = pages
      .filter((id) => args.after === undefined || args.after === null || id < Number(args.after))
      .filter((id) => !kind || kind === (id === 0 ? 'GRANT' : 'CHARGE'))
      .filter((id) => (!from || timeOf(id) >= from) && (!to || timeOf(id) < to))
    const shown = left.slice(0, 2)
    return {
      nodes: shown.map((id) => ({
        id: String(id),
        kind: id === 0 ? 'GRANT' : 'CHARGE',
        amount: id === 0 ? 1_000 : -5,
        balanceAfter: 1_000 - 5 * id,
        createdAt: timeOf(id),
        note: id === 0 ? hostile : null,
        agentName: id === 0 ? null : 'Gone agent',
        exportName: id === 0 ? null : 'Shop, "main"',
        turn:
          id === 4
            ? { id: 't', number: 3, conversationId: 'c-4', request: { id: 'r', preview: 'Where is it?' } }
            : null,
      })),
      pageInfo: { hasNextPage: left.length > 2, hasPreviousPage: false, endCursor: String(shown.at(-1) ?? '') },
    }
  }
  const pageInfo = { hasNextPage: false, hasPreviousPage: false }
  answer({
    serviceInfo: {
      version: '1',
      baseUrl: '',
      signUpOpen: true,
      creditsHelp: 'Ask for more',
      supportContact: '',
      mail: false,
    },
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
      topUpUrl,
      usage: [
        { start: new Date(2026, 0, 1).toISOString(), credits: 0, messages: 0 },
        { start: new Date(2026, 0, 2).toISOString(), credits: 20, messages: 4 },
        { start: new Date(2026, 0, 3).toISOString(), credits: 50, messages: 10, ...odd },
      ],
    },
  })
  session.signedIn('good', inMinutes(15), Date.now())
  return asked
}

const timeOf = (id: number) => new Date(2026, 0, id === 0 ? 1 : 2, 9, id).toISOString()

/** Catches the files that the page passes to the browser. */
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

const texts = (row: HTMLElement) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent)

test('shows the balance and how long it lasts, and days that open to their messages', async () => {
  service({ odd: { credits: 0, messages: 0 } })
  renderPage(`/usage/credits?${january}`)
  expect((await screen.findByTestId('balance')).textContent).toBe('1,000 credits')
  expect(await screen.findByText('About 350 days left at your current rate.')).toBeTruthy()
  expect(screen.getByText('To add credits').parentElement?.textContent).toContain('Ask for more')
  expect(within(screen.getByRole('img', { name: 'Credits used per day' })).getByTitle('Jan 2, 2026: 20')).toBeTruthy()
  const [second, first] = await screen.findAllByTestId('credit-day')
  expect(texts(second as HTMLElement)).toEqual([expect.stringContaining('Jan 2, 2026'), '4', '−20', '', '980'])
  expect(texts(first as HTMLElement)).toEqual([expect.stringContaining(hostile), '', '', '+1,000', '1,000'])
  expect(screen.queryByTestId('credit-entry')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: /Jan 2, 2026/ }))
  expect(await screen.findAllByTestId('credit-entry')).toHaveLength(2)
  expect(screen.getAllByText('Gone agent')).toHaveLength(2)
  expect(screen.getByRole('link', { name: 'Where is it?' }).getAttribute('href')).toBe(
    '/activity/conversations/c-4?turn=3',
  )
  expect(screen.getByRole('link', { name: 'View requests' }).getAttribute('href')).toBe(
    '/activity/requests?outcome=ANSWERED&from=2026-01-02&to=2026-01-02',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(screen.getAllByTestId('credit-entry')).toHaveLength(4))
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('the URL has the open day', async () => {
  service()
  const { router } = renderPage(`/usage/credits?${january}&open=2026-01-01`)
  const entry = await screen.findByTestId('credit-entry')
  expect(entry.textContent).toContain(`Credits added ${hostile}`)
  const day = screen.getByRole('button', { name: /Jan 1, 2026/ })
  expect(day.getAttribute('aria-expanded')).toBe('true')
  await userEvent.click(day)
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('open'))
  expect(screen.queryByTestId('credit-entry')).toBeNull()
})

test('balances that do not add up are not shown', async () => {
  service()
  renderPage(`/usage/credits?${january}`)
  const days = await screen.findAllByTestId('credit-day')
  expect(days.map((day) => texts(day).at(-1))).toEqual(['–', '–', '–'])
})

test('the URL has the filters, and invalid values are ignored', async () => {
  const asked = service({ odd: { credits: 0, messages: 0 } })
  const { router } = renderPage(
    '/usage/credits?kind=CHARGE&agent=nonsense&range=own&from=2026-01-02&to=2026-01-02&open=2026-01-02',
  )
  await screen.findAllByTestId('credit-entry')
  expect(asked.at(-1)?.filter).toMatchObject({
    kind: 'CHARGE',
    from: new Date(2026, 0, 2).toISOString(),
    to: new Date(2026, 0, 3).toISOString(),
  })
  expect(asked.at(-1)?.filter?.agentId).toBeUndefined()
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(router.state.location.href).toBe('/usage/credits?range=own&from=2026-01-02&to=2026-01-02'))
  await waitFor(() => expect(asked.some(({ filter }) => !filter?.kind)).toBe(true))
})

test('acceptance 10: the CSV holds all filtered rows, and no formula', async () => {
  const asked = service()
  const files = catchFile()
  renderPage(`/usage/credits?${january}`)
  await userEvent.click(await screen.findByRole('button', { name: 'Download CSV' }))
  await waitFor(() => expect(files).toHaveLength(1))
  const bytes = new Uint8Array(await (files[0] as Blob).arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const lines = new TextDecoder().decode(bytes).split('\r\n')
  expect(lines).toHaveLength(1 + 5 + 1)
  expect(lines[1]).toBe(`"${timeOf(4)}","Message","Gone agent","Shop, ""main""",,0,5,980,"c-4","4"`)
  expect(lines[5]).toBe(`"${timeOf(0)}","Credits added",,,"'=cmd|""/c calc""!A1",1000,0,1000,,"0"`)
  const downloads = asked.filter(({ first, filter }) => first === 100 && !filter?.kind)
  expect(downloads).toHaveLength(3)
  for (const { filter } of downloads) expect(filter?.to).toBe(new Date(2026, 1, 1).toISOString())
  expect(await screen.findByRole('button', { name: 'Download CSV' })).toBeTruthy()
})

test('a download that fails leaves no file and says why', async () => {
  service({ failAt: '3' })
  const files = catchFile()
  renderPage(`/usage/credits?${january}`)
  await userEvent.click(await screen.findByRole('button', { name: 'Download CSV' }))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('The fault is ours.')
  expect(alert.textContent).toContain('req-1')
  expect(files).toHaveLength(0)
})

test('acceptance 13: without credits a banner says so, and what to do', async () => {
  service({ available: 0 })
  renderPage(`/usage/credits?${january}`)
  expect(await screen.findByText('Out of credits')).toBeTruthy()
  expect(await screen.findAllByText('Ask for more')).toHaveLength(1)
})

test('acceptance 13: below a threshold a banner says how long the credits last', async () => {
  service({ available: 20 })
  renderApp(`/usage/credits?${january}`)
  const banner = (await screen.findByText('Low on credits')).closest('[role=status]')
  expect(banner?.textContent).toContain('20 credits are left.')
  expect(banner?.textContent).toContain('About 2 days left at your current rate.')
})

// The service's account uses 10 credits a day.
test.each([
  [1_000, null, 'Credits available: 1,000. About 100 days left. View credits'],
  [20, 'low', 'Credits available: 20. About 2 days left. View credits'],
  [0, 'none', 'Credits available: 0. View credits'],
])('with %d credits the header shows the state %s', async (available, state, name) => {
  service({ available })
  renderApp(`/usage/credits?${january}`)
  const chip = await screen.findByRole('link', { name })
  await waitFor(() => expect(chip.getAttribute('data-state')).toBe(state))
})

test('credits are bought in the shop, with a link that is created on the click', async () => {
  let made = 0
  service({ topUpUrl: () => `https://pay.example.com/?token=${++made}` })
  renderPage(`/usage/credits?${january}`)
  const button = await screen.findByRole('button', { name: 'Add credits' })
  expect(screen.queryByText('Ask for more')).toBeNull()
  const asked = made
  const assign = vi.fn()
  vi.stubGlobal('location', { ...window.location, assign })
  await userEvent.click(button)
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith(`https://pay.example.com/?token=${asked + 1}`))
})

test('if the shop was switched off meanwhile, the contact is shown', async () => {
  let open = true
  service({ topUpUrl: () => (open ? 'https://pay.example.com/' : null) })
  renderPage(`/usage/credits?${january}`)
  const button = await screen.findByRole('button', { name: 'Add credits' })
  open = false
  await userEvent.click(button)
  expect(await screen.findByText('Ask for more')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add credits' })).toBeNull()
})

test('a user who may not buy credits sees whom to ask', async () => {
  service({ topUpUrl: () => null })
  renderPage(`/usage/credits?${january}`)
  expect(await screen.findByText('Ask for more')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add credits' })).toBeNull()
})
