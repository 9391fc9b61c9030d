import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, session } from '@/shared/gql'
import { answer, inMinutes, refusal, type Seen } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'

const north = { id: 'n', accountId: 'n', name: 'Northwind', creditsAvailable: 9 }
const berg = { id: 'b', accountId: 'b', name: 'Berg Consulting', creditsAvailable: 1 }

let load = vi.spyOn(page, 'load')
beforeEach(() => {
  load = vi.spyOn(page, 'load').mockReturnValue()
})
afterEach(() => session.forget())

/** A service for a member of the given accounts, the first of which is meant without a header. It notes whom each request names. */
function service(accounts = [north, berg], { user = 'u1', refused = false } = {}) {
  const named: (string | null)[] = []
  const open = (_: unknown, { account }: Seen) => {
    named.push(account)
    const found = account ? accounts.find(({ id }) => id === account) : accounts[0]
    if (!found) throw refusal('FORBIDDEN', 'X-Account-Id names an account that is not yours.')
    return found
  }
  session.signedIn('good', inMinutes(15), Date.now())
  answer({
    me: (_: unknown, seen: Seen) => {
      if (seen.account) open(_, seen)
      const memberships = accounts.map((account) => ({ account, role: account === north ? 'OWNER' : 'VIEWER' }))
      return { id: user, email: 'ada@example.com', memberships }
    },
    viewer: (_: unknown, seen: Seen) => {
      const account = open(_, seen)
      return { ...account, viewerRole: account === north ? 'OWNER' : 'VIEWER', usage: [] }
    },
    agents: (_: unknown, seen: Seen) => {
      open(_, seen)
      if (refused) throw refusal('FORBIDDEN', 'Your role no longer allows this.')
      return { nodes: [], edges: [], pageInfo: { hasNextPage: false, hasPreviousPage: false }, totalCount: 0 }
    },
    models: [],
  })
  return named
}

const heading = () => screen.findByRole('heading', { name: 'Agents', level: 1 })

test('the first answer says which account all later requests name, and a page waits for it', async () => {
  const named = service()
  renderApp('/agents')
  await heading()
  await waitFor(() => expect(named.length).toBeGreaterThan(2))
  expect(new Set(named.slice(0, 2))).toEqual(new Set([null])) // both of the fields of one request
  expect(new Set(named.slice(2))).toEqual(new Set(['n']))
  expect(sessionStorage.getItem('account')).toBe('n u1 OWNER')
})

test('who has several accounts sees which one is open, and switches by loading the panel anew', async () => {
  service()
  renderApp('/agents')
  await userEvent.click(await screen.findByRole('button', { name: 'Switch account from Northwind' }))
  const items = await screen.findAllByRole('menuitem')
  expect(items.map(({ textContent }) => textContent)).toEqual(['NNorthwindOwner', 'BBerg ConsultingViewer'])
  expect(items[0]?.getAttribute('aria-current')).toBe('true')
  await userEvent.click(items[1] as HTMLElement)
  expect(load.mock.calls).toEqual([['/?account=b']])
})

test('who has one account sees no switch', async () => {
  service([north])
  renderApp('/agents')
  await heading()
  expect(screen.queryByRole('button', { name: /^Switch account from/ })).toBeNull()
})

test('who was removed from the account goes on in the first one, and is told', async () => {
  service()
  const before = renderApp('/agents')
  await heading()
  service([berg])
  await before.queryClient.invalidateQueries()
  await waitFor(() => expect(load).toHaveBeenCalledWith('/'))
  before.unmount()
  expect(sessionStorage.getItem('account')).toBeNull()
  expect(localStorage.getItem('account')).toBeNull()
  renderApp('/agents')
  expect(await screen.findByText(/^You’re no longer a member .* You’re now in .*Berg Consulting/)).toBeTruthy()
})

test('somebody else who signs in after them is not, and stays where they are', async () => {
  window.history.replaceState(null, '', '/agents?q=x')
  onTestFinished(() => window.history.replaceState(null, '', '/'))
  service()
  const before = renderApp('/agents')
  await heading()
  service([berg], { user: 'u2' })
  await before.queryClient.invalidateQueries()
  await waitFor(() => expect(load.mock.calls).toEqual([['/agents?q=x']]))
  before.unmount()
  renderApp('/agents')
  await heading()
  expect(screen.queryByText(/no longer a member/)).toBeNull()
})

test('what the role does not allow is no reason to leave the account', async () => {
  service([north], { refused: true })
  renderApp('/agents')
  expect(await screen.findByText('Your role no longer allows this.')).toBeTruthy()
  expect(load).not.toHaveBeenCalled()
})

/** Somebody with two accounts, in the first of which there is no such thing. */
function without(rest: Record<string, unknown>) {
  service()
  answer({
    me: { id: 'u1', memberships: [north, berg].map((account) => ({ account, role: 'OWNER' })) },
    viewer: { ...north, usage: [] },
    models: [],
    ...rest,
  })
}

const gone = () => {
  throw refusal('NOT_FOUND', 'There is no such thing.')
}

test.each([
  ['/agents/a1', { agent: gone }],
  ['/agents/a1/versions', { agent: gone }],
  ['/exports/e1', { node: gone }],
  ['/activity/conversations/c1', { conversation: gone }],
  ['/activity/conversations/c1?turn=3', { conversation: gone }],
])('%s, which is not found, may be in another account', async (path, rest) => {
  without(rest)
  renderApp(path)
  expect(await screen.findByText('This may be in one of your other accounts')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Northwind' })).toBeNull()
  await userEvent.click(await screen.findByRole('button', { name: 'Berg Consulting' }))
  expect(load.mock.calls).toEqual([[`${path}${path.includes('?') ? '&' : '?'}account=b`]])
})

test('who has one account is not sent to look elsewhere', async () => {
  without({ agent: gone, me: { id: 'u1', memberships: [{ account: north, role: 'OWNER' }] } })
  renderApp('/agents/a1')
  expect(await screen.findByText('Agent not found')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'All agents' }).getAttribute('href')).toBe('/agents')
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  expect(screen.queryByText(/one of your other accounts/)).toBeNull()
})

test('signing out forgets the account', async () => {
  service()
  renderApp('/agents')
  await heading()
  session.signedOut()
  await waitFor(() => {
    expect(sessionStorage.getItem('account')).toBeNull()
    expect(localStorage.getItem('account')).toBeNull()
  })
})
