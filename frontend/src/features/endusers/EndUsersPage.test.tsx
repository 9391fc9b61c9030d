import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { remember } from '@/shared/remembered'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { agentFields } from '@/testing/agentFields'
import { renderApp } from '@/testing/renderApp'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.forget())

type Args = { first: number; after: string | null; filter: { agentId?: string; search?: string } }

/** A service with one agent that has these end users; they can be erased. */
function service(ids: string[]) {
  const asked: Args[] = []
  const erased: unknown[] = []
  answer({
    agent: { ...agentFields, id: 'a1', name: 'Shop help' },
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
        const used = { lastSeenAt: inMinutes(-5.5), messages: 1_200, credits: 3_400, conversations: 7 }
        return {
          nodes: page.map((userId) => ({ userId, ...used })),
          pageInfo: { hasNextPage: start + args.first < found.length, endCursor: page.at(-1) ?? null },
        }
      },
    },
    deleteEndUser: ({ input }: { input: { userId: string; agentId?: string } }) => {
      if (input.userId === 'stuck') throw refusal('INTERNAL', 'Not now.')
      erased.push({ ...input })
      ids.splice(ids.indexOf(input.userId), 1)
      return { deletedCount: 7 }
    },
  })
  return { asked, erased }
}

async function askToErase(userId: string) {
  await userEvent.click(await screen.findByRole('button', { name: `Erase “${userId}”` }))
  return within(await screen.findByRole('dialog', { name: `Erase end user “${userId}”?` }))
}

test('every row has its use, and leads to the conversations of that end user', async () => {
  const { asked } = service(['customer 7', '<img src=x onerror=alert(1)>'])
  renderApp('/agents/a1/end-users')
  const link = await screen.findByRole('link', { name: 'customer 7' })
  expect(link.getAttribute('href')).toBe('/agents/a1/conversations?userId=customer+7')
  const cells = [...(link.closest('tr')?.querySelectorAll('td') ?? [])].map(({ textContent }) => textContent)
  expect(cells).toEqual(['customer 7', '5 minutes ago', '1,200', '3,400', '7', 'Erase'])
  expect(document.querySelector('img')).toBeNull()
  expect(screen.getByRole('heading', { level: 1, name: 'Shop help' })).toBeTruthy()
  expect(document.title).toContain('End users of')
  expect(screen.getByRole('link', { name: 'End users' }).getAttribute('href')).toBe('/agents/a1/end-users')
  expect(screen.getByText('2 end users')).toBeTruthy()
  expect(asked).toEqual([{ first: 50, after: null, filter: { agentId: 'a1' } }])
})

test('more end users come page by page', async () => {
  const { asked } = service(Array.from({ length: 60 }, (_, i) => `u-${i}`))
  renderApp('/agents/a1/end-users')
  await screen.findByText('50 end users so far')
  await userEvent.click(screen.getByText('Show more'))
  await screen.findByText('60 end users')
  expect(asked.at(-1)?.after).toBe('u-49')
  expect(screen.queryByText('Show more')).toBeNull()
})

test('the search stands in the address and goes to the service', async () => {
  const { asked } = service(['alice', 'bob'])
  const { router } = renderApp('/agents/a1/end-users')
  await screen.findByRole('link', { name: 'bob' })
  await userEvent.type(screen.getByLabelText('User ID'), 'lic')
  await waitFor(() => expect(screen.queryByRole('link', { name: 'bob' })).toBeNull())
  expect(router.state.location.search).toEqual({ search: 'lic' })
  expect(asked.at(-1)?.filter).toEqual({ agentId: 'a1', search: 'lic' })
  await userEvent.type(screen.getByLabelText('User ID'), 'zzz')
  expect(await screen.findByText('No matching end users')).toBeTruthy()
})

test('without end users it says how they come about', async () => {
  service([])
  renderApp('/agents/a1/end-users')
  expect(await screen.findByText('No end users yet')).toBeTruthy()
  expect(screen.getByText(/^Send a user_id with each message/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe('/api-docs')
})

test.each([
  ['Only those with the agent Shop help', { userId: 'alice', agentId: 'a1' }],
  ['Those with any agent of this account', { userId: 'alice' }],
])('an end user is erased after a question: %s', async (scope, input) => {
  const { erased } = service(['alice', 'bob'])
  remember('a1', "alice's conversation")
  const { queryClient } = renderApp('/agents/a1/end-users')
  queryClient.setQueryData(['requests', { userId: 'alice' }], ['a request of alice'])
  const dialog = await askToErase('alice')
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' })))
  expect(dialog.getByText(/with all messages and replies/)).toBeTruthy()
  expect(dialog.getByText('Your credit history is kept. It never contained the user ID.')).toBeTruthy()
  expect(dialog.getByRole('radio', { name: /^Only/ })).toHaveProperty('checked', true)
  await userEvent.click(dialog.getByRole('radio', { name: scope }))
  expect(erased).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Erase end user' }))
  expect(await screen.findByText('7 conversations erased')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('link', { name: 'alice' })).toBeNull())
  expect(screen.getByRole('link', { name: 'bob' })).toBeTruthy()
  expect(erased).toEqual([input])
  await waitFor(() => expect(JSON.stringify({ ...sessionStorage })).not.toContain('alice'))
  const kept = queryClient.getQueryCache().getAll()
  expect(JSON.stringify(kept.map(({ state }) => state.data))).not.toContain('alice')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'List of end users' }))
})

test('an end user who could not be erased stays, and the question says why', async () => {
  service(['stuck'])
  renderApp('/agents/a1/end-users')
  const dialog = await askToErase('stuck')
  await userEvent.click(dialog.getByRole('button', { name: 'Erase end user' }))
  expect(await dialog.findByText('Not now.')).toBeTruthy()
  expect(screen.getByText('stuck', { selector: 'a *' })).toBeTruthy()
})
