import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes } from '@/shared/testing/server'
import { agentFields } from '@/testing/agentFields'
import { renderPage } from '@/testing/renderPage'

afterEach(() => session.forget())

type Args = { first: number; after: string | null; filter: Record<string, string> }

/** A service with one agent whose conversations have these labels, the latest first. */
function service(labels: string[]) {
  session.signedIn('good', inMinutes(15), Date.now())
  const asked: Args[] = []
  answer({
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
      conversations: (args: Args) => {
        asked.push(args)
        const { search = '', userId } = args.filter
        const found = labels.filter((label) => label.includes(search) && (!userId || label.startsWith('order')))
        const start = args.after ? found.indexOf(args.after) + 1 : 0
        const page = found.slice(start, start + args.first)
        return {
          edges: [],
          nodes: page.map((sessionId) => ({
            id: `c-${sessionId}`,
            sessionId,
            source: 'API',
            userId: sessionId.startsWith('order') ? 'customer 7' : null,
            preview: 'Where is my order?',
            turnCount: 3,
            failedTurns: 0,
            credits: 6,
            lastTurnAt: inMinutes(-5),
            agent: { id: 'a1', name: 'Shop help' },
          })),
          pageInfo: {
            hasNextPage: start + args.first < found.length,
            hasPreviousPage: false,
            endCursor: page.at(-1) ?? null,
          },
        }
      },
    },
    agent: {
      ...agentFields,
      id: 'a1',
      name: 'Shop help',
    },
  })
  return { asked, labels }
}

test('acceptance 8: every row is a link to its transcript', async () => {
  service(['order-1', '<img src=x onerror=alert(1)>'])
  renderPage('/agents/a1/activity/conversations')
  expect((await screen.findByRole('link', { name: 'customer 7' })).getAttribute('href')).toBe(
    '/activity/conversations/c-order-1?agent=a1',
  )
  expect(screen.getByRole('link', { name: 'Visitor <img src=x onerror=alert(1)>' })).toBeTruthy()
  expect(document.querySelector('img')).toBeNull()
  expect(await screen.findByRole('heading', { level: 1, name: 'Shop help' })).toBeTruthy()
  expect(document.title).toContain('Activity:')
  expect(screen.getByText('2 conversations')).toBeTruthy()
})

test('acceptance 9: the next page follows the last row, and shows none twice when new ones have come', async () => {
  const { asked, labels } = service(Array.from({ length: 60 }, (_, i) => `s-${i}`))
  renderPage('/agents/a1/activity/conversations')
  await screen.findByText('50 conversations so far')
  labels.unshift('newcomer')
  await userEvent.click(screen.getByText('Show more'))
  await screen.findByText('60 conversations')
  expect(asked.map((page) => page.after)).toContain('s-49') // the first page may have been asked for again since
  const shown = [...document.querySelectorAll('tbody a')].map((link) => link.textContent)
  expect(shown).toEqual(Array.from({ length: 60 }, (_, i) => `Visitor s-${i}`))
  expect(screen.queryByText('Show more')).toBeNull()
})

test('the filters stand in the address and go to the service', async () => {
  const { asked } = service(['order-1', 'chat-2'])
  const { router } = renderPage('/agents/a1/activity/conversations?source=API&from=2026-01-05&to=2026-01-06')
  await screen.findByRole('link', { name: 'Visitor chat-2' })
  expect(asked[0]?.filter).toMatchObject({
    source: 'API',
    from: new Date(2026, 0, 5).toISOString(),
    to: new Date(2026, 0, 7).toISOString(),
  })
  await userEvent.click(screen.getByRole('button', { name: 'Session ID' }))
  await userEvent.keyboard('order')
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Visitor chat-2' })).toBeNull())
  expect(router.state.location.search).toEqual({ search: 'order', source: 'API', from: '2026-01-05', to: '2026-01-06' })
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await screen.findByRole('link', { name: 'Visitor chat-2' })
  expect(router.state.location.search).toEqual({})
  expect(screen.queryByLabelText('Session ID')).toBeNull()
})

test('a row names its user; a list of one user names the sessions', async () => {
  const { asked } = service(['order-1', 'chat-2'])
  const { router } = renderPage('/agents/a1/activity/conversations')
  await screen.findByRole('link', { name: 'customer 7' })
  await userEvent.click(screen.getByRole('button', { name: 'User ID' }))
  await userEvent.keyboard('customer 7')
  expect(await screen.findByRole('link', { name: 'order-1' })).toBeTruthy()
  expect(router.state.location.search).toEqual({ userId: 'customer 7' })
  // The list may have asked for what is new meanwhile.
  const filter = expect.objectContaining({ userId: 'customer 7', agentId: 'a1' })
  await waitFor(() => expect(asked.map((page) => page.filter)).toContainEqual(filter))
})

test('an end user in the address is asked for by the exact id', async () => {
  const { asked } = service(['order-1'])
  renderPage('/agents/a1/activity/conversations?userId=%22007%22')
  await screen.findByRole('link', { name: 'order-1' })
  expect(asked[0]?.filter).toMatchObject({ userId: '007', agentId: 'a1' })
  expect(screen.getByLabelText('User ID')).toHaveProperty('value', '007')
})

test('a filter that makes no sense in the address is left out', async () => {
  const { asked } = service(['order-1'])
  renderPage('/agents/a1/activity/conversations?source=MAIL&from=yesterday')
  await screen.findByRole('link', { name: 'customer 7' })
  expect(Object.keys(asked[0]?.filter ?? {})).toEqual(['agentId', 'from', 'to'])
})

test('days in the wrong order are reported, and the list keeps the earlier ones', async () => {
  const { asked } = service(['order-1'])
  renderPage('/agents/a1/activity/conversations?from=2026-01-06')
  await screen.findByRole('link', { name: 'customer 7' })
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-01-05' } })
  expect(await screen.findByText('The end date is before the start date.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'customer 7' })).toBeTruthy()
  const first = new Date(2026, 0, 6).toISOString()
  expect(asked.filter(({ filter }) => filter.from !== first || filter.to != null)).toEqual([])
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-01-04' } })
  const to = new Date(2026, 0, 6).toISOString()
  await waitFor(() => expect(asked.at(-1)?.filter).toMatchObject({ from: new Date(2026, 0, 4).toISOString(), to }))
  expect(screen.queryByText('The end date is before the start date.')).toBeNull()
})

test('an agent without conversations leads to Try', async () => {
  service([])
  renderPage('/agents/a1/activity/conversations?time=all')
  expect((await screen.findByRole('link', { name: 'Try the agent' })).getAttribute('href')).toBe(
    '/agents/a1?try=window',
  )
})
