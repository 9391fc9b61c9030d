import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.signedOut())

const agentRow = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  name: `Line ${id}`,
  description: '',
  state: 'LIVE',
  hasUnpublishedChanges: false,
  lastUsedAt: null,
  publishedVersion: { number: 1 },
  model: { name: 'm', label: 'Model' },
  exports: [] as { id: string }[],
  ...more,
})
type Row = ReturnType<typeof agentRow>
type Asked = { first: number; after?: string | null; orderBy: { field: string; direction: string } }
type Usage = { id: string; messages?: number; failed?: number; credits?: number }

/** An account with some agents and what they used; the usage is held up until it is asked to come. */
function service(rows: Row[], usage: Usage[] = [], held?: Promise<unknown>) {
  const seen = { most: 0, usage: 0, orders: [] as string[] }
  let underWay = 0
  const change = async (id: string, act: (row: Row) => void) => {
    underWay++
    seen.most = Math.max(seen.most, underWay)
    await Promise.resolve()
    underWay--
    const row = rows.find((one) => one.id === id)
    if (!row || id === 'gone') throw refusal('NOT_FOUND', 'There is no such agent.')
    act(row)
    return row
  }
  answer({
    agents: ({ first, after, orderBy }: Asked) => {
      seen.orders.push(`${orderBy.field} ${orderBy.direction}`)
      const start = after ? Number(after) : 0
      const nodes = rows.slice(start, start + first)
      const pageInfo = {
        hasNextPage: start + first < rows.length,
        hasPreviousPage: false,
        endCursor: `${start + first}`,
      }
      return { nodes, edges: [], pageInfo, totalCount: rows.length }
    },
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      createdAt: inMinutes(-1000),
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
      usage: async ({ groupBy }: { groupBy: string[] }) => {
        if (groupBy.includes('AGENT')) seen.usage++
        await held
        return usage.map(({ id, ...row }) => ({ agent: { id }, messages: 0, failed: 0, credits: 0, ...row }))
      },
    },
    unpublishAgent: async ({ input: { id } }: { input: { id: string } }) => ({
      agent: await change(id, (row) => Object.assign(row, { state: 'OFFLINE' })),
    }),
    deleteAgent: async ({ input: { id } }: { input: { id: string } }) => ({
      deletedAgentId: (await change(id, (row) => rows.splice(rows.indexOf(row), 1))).id,
    }),
  })
  return seen
}

const links = () => [...document.querySelectorAll('.panel-row-link')].map(({ textContent }) => textContent ?? '')
const names = async () => {
  await screen.findByRole('table', {}, { timeout: 10_000 })
  return links()
    .map((name) => name.replace('Line ', ''))
    .join('')
}
const head = (name: string) => screen.getByRole('columnheader', { name })

test('the figures of all agents come in one request', async () => {
  const usage = [
    { id: 'b', messages: 19, failed: 1, credits: 1234 },
    { id: 'c', messages: 40, failed: 10, credits: 5 },
  ]
  const seen = service([agentRow('a', { exports: [{ id: 'e' }] }), agentRow('b'), agentRow('c')], usage)
  renderPage('/agents')
  expect(await names()).toBe('abc')
  const cells = (name: string) =>
    [...(screen.getByRole('link', { name }).closest('tr')?.cells ?? [])].slice(4).map(({ textContent }) => textContent)
  await waitFor(() => expect(cells('Line a')).toEqual(['1', '0', '–', '0', 'Never']))
  // Used, but not with a key so far: there is no time to show.
  expect(cells('Line b')).toEqual(['0', '20', '95%', '1,234', '–'])
  expect(screen.getByText('80%').style.color).toBe('var(--bad)')
  expect(screen.getByText('95%').style.color).toBe('')
  expect(seen.usage).toBe(2)
  expect(screen.getByRole('link', { name: '1 API export of Line a' }).getAttribute('href')).toBe('/agents/a/channels')
})

test('figures that cannot be had are said to be missing, and the list is there', async () => {
  const broken = Promise.reject(refusal('INTERNAL', 'Broken.'))
  broken.catch(() => undefined) // the page asks for it later
  service([agentRow('a')], [], broken)
  renderPage('/agents')
  expect(await names()).toBe('a')
  expect(await screen.findByText(/Couldn’t load the usage figures/, {}, { timeout: 20_000 })).toBeTruthy()
})

test('the service sorts the list by a head, a second click turns it round, and the address says so', async () => {
  const seen = service([agentRow('b'), agentRow('a')])
  const { router } = renderPage('/agents')
  await names()
  expect(head('Messages').getAttribute('aria-sort')).toBe('descending')
  const asks = async (name: string, sort: string | undefined, order: string) => {
    await userEvent.click(screen.getByRole('button', { name }))
    expect(router.state.location.search).toEqual(sort ? { sort } : {})
    await waitFor(() => expect(seen.orders).toContain(order))
  }
  await asks('Agent', 'name', 'NAME ASC')
  expect(head('Agent').getAttribute('aria-sort')).toBe('ascending')
  expect(head('Messages').hasAttribute('aria-sort')).toBe(false)
  await asks('Agent', '-name', 'NAME DESC')
  await asks('Credits this month', '-credits', 'CREDITS_MONTH DESC')
  await asks('Success', 'success', 'SUCCESS_24H ASC')
  await asks('Last used', '-used', 'LAST_USED DESC')
  await asks('Messages', undefined, 'MESSAGES_24H DESC')
})

test('an agent that moves to the next page meanwhile is shown once', async () => {
  const rows = Array.from({ length: 60 }, (_, at) => agentRow(`${at}`))
  service(rows)
  renderPage('/agents')
  expect(await screen.findByText('60 agents')).toBeTruthy()
  expect(links()).toHaveLength(50)
  rows.unshift(...rows.splice(55, 1))
  await userEvent.click(screen.getByText('Show more'))
  await waitFor(() => expect(links().length).toBeGreaterThan(50))
  expect(links().filter((name) => name === 'Line 49')).toHaveLength(1)
})

async function chooseAll(action: string) {
  await names()
  await userEvent.click(screen.getByLabelText('Select all'))
  await userEvent.click(screen.getByRole('button', { name: action }))
  return within(await screen.findByRole('dialog'))
}

test('taking agents offline says how many, which not and why, and does four at once', async () => {
  const rows = [...'abcdef'].map((id) => agentRow(id, { exports: [{ id }] }))
  const seen = service([...rows, agentRow('x', { state: 'DRAFT' }), agentRow('y', { state: 'OFFLINE' })])
  renderPage('/agents')
  const dialog = await chooseAll('Take offline')
  expect(dialog.getByRole('status').textContent).toMatch(
    /^6 agents will be taken offline\. Requests from 6 API exports fail with agent_not_ready .*, including pinned ones/,
  )
  expect(dialog.getByText('2 skipped')).toBeTruthy()
  expect(dialog.getByText('Line x (never published)')).toBeTruthy()
  expect(dialog.getByText('Line y (already offline)')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Take 6 agents offline' }))
  expect(await screen.findByText('6 taken offline, 2 failed: never published; already offline')).toBeTruthy()
  expect(seen.most).toBe(4)
  expect(rows.every(({ state }) => state === 'OFFLINE')).toBe(true)
})

test('deleting leaves live agents alone, and names those that failed', async () => {
  const rows = [agentRow('a'), agentRow('b', { state: 'DRAFT' }), agentRow('gone', { state: 'OFFLINE' })]
  service(rows)
  renderPage('/agents')
  const dialog = await chooseAll('Delete')
  expect(dialog.getByRole('status').textContent).toMatch(
    /^2 agents and their conversations will be deleted\..* None of them has an API export\.$/,
  )
  expect(dialog.getByText('Line a (live: take offline first)')).toBeTruthy()
  expect(document.activeElement?.textContent).toBe('Cancel')
  await userEvent.click(dialog.getByRole('button', { name: 'Delete 2 agents' }))
  expect(await screen.findByText('1 deleted, 2 failed: There is no such agent.; live: take offline first')).toBeTruthy()
  expect(rows.map(({ id }) => id)).toEqual(['a', 'gone'])
})
