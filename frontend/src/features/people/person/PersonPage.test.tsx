import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { remember } from '@/shared/remembered'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { lastDays } from '@/shared/time'
import { renderPage } from '@/testing/renderPage'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.forget())

const agentId = '01a2345b-0000-7000-8000-000000000001'
const page = { hasNextPage: false, endCursor: null }

/** An account in which everybody but "nobody" is known. */
function service() {
  const person = { blocked: false, dailyMessageLimit: null as number | null }
  const sent: unknown[] = []
  answer({
    agents: { nodes: [{ id: agentId, name: 'Shop help' }], pageInfo: page },
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      createdAt: inMinutes(-90),
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
      endUser: ({ userId }: { userId: string }) =>
        userId === 'nobody'
          ? null
          : {
              userId,
              firstSeenAt: inMinutes(-70),
              lastSeenAt: inMinutes(-5),
              messages: 9,
              credits: 45,
              conversations: 2,
              messagesToday: 6,
              nearestExportLimit: null,
              ...person,
            },
      usage: ({ interval }: { interval?: string }) => [
        { start: interval && inMinutes(0), messages: 7, failed: 1, refused: 2, credits: 35 },
      ],
      endUsers: { nodes: [], pageInfo: page },
      conversations: { searchedTo: null, nodes: [], pageInfo: page },
      requests: { nodes: [], pageInfo: page },
    },
    blockEndUser: ({ input }: { input: object }) => {
      sent.push({ block: { ...input } })
      person.blocked = true
      return { endUser: person }
    },
    unblockEndUser: () => {
      person.blocked = false
      return { endUser: person }
    },
    setEndUserLimit: ({ input }: { input: { dailyMessageLimit: number | null } }) => {
      sent.push({ limit: { ...input } })
      person.dailyMessageLimit = input.dailyMessageLimit
      return { endUser: person }
    },
    deleteEndUser: ({ input }: { input: { userId: string } }) => {
      if (input.userId === 'stuck') throw refusal('INTERNAL', 'Not now.')
      sent.push({ erase: { ...input } })
      return { deletedCount: 7 }
    },
  })
  return sent
}

async function askToErase(userId: string) {
  await userEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Erase…' }))
  return within(await screen.findByRole('dialog', { name: `Erase user “${userId}”?` }))
}

test('figures, limits and facts of a person', async () => {
  service()
  renderPage('/activity/people/person?id=%3Cimg%20src=x%3E')
  expect(await screen.findByRole('heading', { level: 1, name: '<img src=x>' })).toBeTruthy()
  expect(await screen.findByText('35 credits')).toBeTruthy()
  expect(screen.getByText('87.5%')).toBeTruthy()
  expect(screen.getByText('45 credits')).toBeTruthy()
  expect(screen.getByText('6 messages')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'View requests' }).getAttribute('href')).toBe(
    '/activity/requests?userId=%3Cimg+src%3Dx%3E&time=all',
  )
  expect(document.querySelector('img')).toBeNull()
})

test('a long ID is whole in the title’s tooltip, and copied from the details', async () => {
  const user = userEvent.setup()
  Object.defineProperty(window, 'isSecureContext', { configurable: true, value: true })
  service()
  const id = 'visitor-'.repeat(31)
  renderPage(`/activity/people/person?id=${id}`)
  expect((await screen.findByRole('heading', { level: 1, name: id })).querySelector('[title]')).toHaveProperty(
    'title',
    id,
  )
  await user.click(await screen.findByRole('button', { name: 'Copy the user ID' }))
  expect(await navigator.clipboard.readText()).toBe(id)
})

test('a day of the last 30 leads to its requests', async () => {
  service()
  const { router } = renderPage('/activity/people/person?id=alice')
  const strip = await screen.findByRole('slider', { name: 'Requests over time' })
  expect(strip.getAttribute('aria-valuetext')).toMatch(/: 7 answered, 1 failed, 2 rejected$/)
  fireEvent.keyDown(strip, { key: 'Enter' })
  await waitFor(() => expect(router.state.location.pathname).toBe('/activity/requests'))
  const tomorrow = lastDays(30, Date.now()).to
  expect(router.state.location.search).toMatchObject({ userId: 'alice', time: '30d', until: tomorrow })
})

test('a person is blocked and unblocked', async () => {
  const sent = service()
  renderPage('/activity/people/person?id=alice')
  await userEvent.click(await screen.findByRole('button', { name: 'Block' }))
  expect(await screen.findByText('“alice” blocked: requests fail with user_blocked')).toBeTruthy()
  expect(sent).toEqual([{ block: { userId: 'alice' } }])
  await userEvent.click(await screen.findByRole('button', { name: 'Unblock' }))
  expect(await screen.findByRole('button', { name: 'Block' })).toBeTruthy()
})

test('a limit of one’s own is set, checked and taken away', async () => {
  const sent = service()
  renderPage('/activity/people/person?id=alice')
  const field = await screen.findByLabelText('Messages per day (UTC)')
  await userEvent.type(field, '0')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/^Enter a whole number/)).toBeTruthy()
  await userEvent.clear(field)
  await userEvent.type(field, '50')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('6 of 50')).toBeTruthy()
  await userEvent.clear(field)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(sent).toEqual([
      { limit: { userId: 'alice', dailyMessageLimit: 50 } },
      { limit: { userId: 'alice', dailyMessageLimit: null } },
    ]),
  )
})

test.each([
  ['', undefined, { userId: 'alice' }],
  [`&agent=${agentId}`, 'Only with the agent Shop help', { userId: 'alice', agentId }],
  [`&agent=${agentId}`, 'With any agent in this account', { userId: 'alice' }],
])('a person is erased after a question: %s %s', async (search, scope, input) => {
  const sent = service()
  remember('a1', "alice's conversation")
  const { queryClient, router } = renderPage(`/activity/people/person?id=alice${search}`)
  queryClient.setQueryData(['requests', { userId: 'alice' }], ['a request of alice'])
  const dialog = await askToErase('alice')
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' })))
  expect(dialog.getByText(/including every message and reply/)).toBeTruthy()
  expect(dialog.getByText('Credit history is kept. It never contained the user ID.')).toBeTruthy()
  if (scope) await userEvent.click(dialog.getByRole('radio', { name: scope }))
  expect(sent).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Erase user' }))
  expect(await screen.findByText('7 conversations erased')).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/activity/people'))
  expect(sent).toEqual([{ erase: input }])
  await waitFor(() => expect(JSON.stringify({ ...sessionStorage })).not.toContain('alice'))
  await waitFor(() => {
    const kept = queryClient.getQueryCache().getAll()
    expect(JSON.stringify(kept.map(({ state }) => state.data))).not.toContain('alice')
  })
})

test('a person who could not be erased stays, and the question says why', async () => {
  service()
  const { router } = renderPage('/activity/people/person?id=stuck')
  const dialog = await askToErase('stuck')
  await userEvent.click(dialog.getByRole('button', { name: 'Erase user' }))
  expect(await dialog.findByText('Not now.')).toBeTruthy()
  expect(router.state.location.pathname).toBe('/activity/people/person')
})

test('an id that nobody has says so', async () => {
  service()
  renderPage('/activity/people/person?id=nobody')
  expect(await screen.findByText('User not found')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Block' })).toBeNull()
})
