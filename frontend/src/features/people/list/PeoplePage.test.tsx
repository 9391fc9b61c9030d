import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.forget())

type Args = {
  first: number
  after: string | null
  filter: { agentId?: string; search?: string; blocked?: boolean }
  orderBy: { field: string; direction: string }
}

const plain = { blocked: false, dailyMessageLimit: null, messagesToday: 6, nearestExportLimit: null }

/** An account with these people. */
function service(ids: string[], rules: Record<string, object> = {}) {
  const asked: Args[] = []
  answer({
    agents: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } },
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
      endUsers: (args: Args) => {
        asked.push(args)
        const found = ids.filter((id) => id.includes(args.filter.search ?? ''))
        const start = args.after ? found.indexOf(args.after) + 1 : 0
        const page = found.slice(start, start + args.first)
        const used = { lastSeenAt: inMinutes(-5.5), messages: 1_200, credits: 3_400 }
        return {
          nodes: page.map((userId) => ({ userId, ...used, ...plain, ...rules[userId] })),
          pageInfo: { hasNextPage: start + args.first < found.length, endCursor: page.at(-1) ?? null },
        }
      },
    },
  })
  return { asked }
}

const cellsOf = (link: HTMLElement) =>
  [...(link.closest('tr')?.querySelectorAll('td') ?? [])].map(({ textContent }) => textContent)

test('every row has use, limit and state, and leads to the person', async () => {
  const { asked } = service(['customer 7', 'at', 'blocked', 'own', '<img src=x onerror=alert(1)>'], {
    at: { nearestExportLimit: { dailyMessageLimit: 5, messagesToday: 5 } },
    own: { dailyMessageLimit: 50 },
    blocked: { blocked: true },
  })
  renderPage('/activity/people')
  const link = await screen.findByRole('link', { name: 'customer 7' })
  expect(link.getAttribute('href')).toBe('/activity/people/person?id=customer+7')
  expect(cellsOf(link)).toEqual(['customer 7', '1,200', '3,400', '', '5 minutes ago'])
  expect(cellsOf(screen.getByRole('link', { name: 'own' }))[3]).toBe('6 of 50')
  const [name, , , today] = cellsOf(screen.getByRole('link', { name: 'at' }))
  expect([name, today]).toEqual(['at Limit reached', '5 of 5'])
  expect(cellsOf(screen.getByRole('link', { name: 'blocked' }))[0]).toBe('blocked Blocked')
  expect(document.querySelector('img')).toBeNull()
  expect(screen.getByText('5 users')).toBeTruthy()
  expect(asked[0]).toMatchObject({ first: 50, after: null })
  expect(Object.keys(asked[0]?.filter ?? {})).toEqual(['from', 'to'])
})

test('the latest come first, or users by their ID', async () => {
  const { asked } = service(['alice'])
  const { router } = renderPage('/activity/people')
  await screen.findByRole('link', { name: 'alice' })
  expect(asked[0]?.orderBy).toEqual({ field: 'LAST_SEEN', direction: 'DESC' })
  await userEvent.click(screen.getByRole('button', { name: 'User' }))
  await waitFor(() => expect(asked.at(-1)?.orderBy).toEqual({ field: 'USER_ID', direction: 'ASC' }))
  expect(router.state.location.search).toEqual({ order: 'USER_ID' })
  await userEvent.click(screen.getByRole('button', { name: 'Last active' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
  expect(screen.getByRole('link', { name: 'Credits' }).getAttribute('href')).toBe('/usage?split=user')
})

test('more people come page by page', async () => {
  const { asked } = service(Array.from({ length: 60 }, (_, i) => `u-${i}`))
  renderPage('/activity/people')
  await screen.findByText('50 users so far')
  await userEvent.click(screen.getByText('Show more'))
  await screen.findByText('60 users')
  expect(asked.at(-1)?.after).toBe('u-49')
})

test('the filters stand in the address and go to the service', async () => {
  const { asked } = service(['alice', 'bob'])
  const { router } = renderPage('/activity/people')
  await screen.findByRole('link', { name: 'bob' })
  await userEvent.type(screen.getByLabelText('User ID'), 'lic')
  await waitFor(() => expect(screen.queryByRole('link', { name: 'bob' })).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Blocked' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ search: 'lic', blocked: true, time: 'all' }))
  expect(asked.at(-1)?.filter).toEqual({ search: 'lic', blocked: true })
  await userEvent.type(screen.getByLabelText('User ID'), 'zzz')
  expect(await screen.findByText('No matching users')).toBeTruthy()
})

test('a user who is not among the latest is looked for in all time', async () => {
  service([])
  renderPage('/activity/people?search=zzz')
  await userEvent.click(await screen.findByRole('link', { name: 'Show all time' }))
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Show all time' })).toBeNull())
})

test('without people it says how they come about', async () => {
  service([])
  renderPage('/activity/people?time=all')
  expect(await screen.findByText('No users yet')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'API docs' }).getAttribute('href')).toBe('/developers')
})

test('under an agent, the list is of its people', async () => {
  const { asked } = service(['alice'])
  const id = '01a2345b-0000-7000-8000-000000000001'
  renderPage(`/agents/${id}/activity/people?search=al`)
  await screen.findByRole('link', { name: 'alice' })
  expect(asked.at(-1)?.filter).toMatchObject({ agentId: id, search: 'al' })
  expect(screen.queryByRole('combobox', { name: 'Agent' })).toBeNull()
})
