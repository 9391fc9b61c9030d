import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'
import { type Asked, type Used, usageOf } from '../testing'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.forget())

const pageInfo = { hasNextPage: false, hasPreviousPage: false }
const agent = (name: string, rest: object = {}) => ({
  id: `0193f5a0-0000-7000-8000-00000000000${name.length}`,
  name,
  state: 'LIVE',
  hasUnpublishedChanges: false,
  publishedVersion: { number: 7, variables: [] },
  exports: [],
  ...rest,
})
const desk = agent('Desk')
const drafts = agent('Drafts', { state: 'DRAFT', hasUnpublishedChanges: true, publishedVersion: null })
const spare = agent('Spare')
const used: Used = {
  now: { messages: 4540, failed: 121, refused: 78, credits: 5704, durationP50Ms: 1400, durationP95Ms: 4300 },
  before: { messages: 4079, failed: 28, durationP50Ms: 1200 },
  agents: [
    { agent: drafts, source: 'PLAYGROUND', messages: 9 },
    { agent: desk, source: 'API', messages: 4500, failed: 121, credits: 22_500 },
    { agent: desk, source: 'PLAYGROUND', messages: 31, credits: 155 },
    { agent: null, messages: 70 },
  ],
}
const idle = {
  id: 'e0',
  name: 'Idle',
  state: 'ACTIVE',
  agent: desk,
  requireUserId: false,
  creditsUsedToday: 0,
  creditsUsedThisMonth: 0,
}
const conversation = {
  id: 'c1',
  sessionId: 'visitor 7',
  preview: 'Where is my parcel?',
  failedTurns: 0,
  agent: desk,
  lastTurnAt: inMinutes(-1),
}

type Has = Used & {
  agents?: Used['agents']
  list?: object[]
  exports?: object[]
  conversations?: object[]
  credits?: number
}

/** An account in use. */
function service({
  list = [desk, drafts, spare],
  exports = [],
  conversations = [conversation],
  credits = 182_400,
  ...counted
}: Has = used) {
  const asked: Asked[] = []
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '', mail: false },
    agents: { nodes: list, pageInfo, totalCount: list.length },
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: credits,
      creditsHeld: 0,
      creditsAvailable: credits,
      usage: (args: Asked) =>
        args.interval === 'DAY' && Date.parse(args.filter.to) - Date.parse(args.filter.from) < 8 * 86_400_000
          ? [{ start: inMinutes(-60), credits: 37_550, messages: 30_000 }]
          : usageOf(counted, asked)(args),
      conversations: ({ filter }: { filter?: object }) => ({
        nodes: filter ? [conversation] : conversations,
        pageInfo,
      }),
      exports: { nodes: exports, pageInfo },
      creditHistory: { nodes: [], pageInfo },
    },
  })
  return asked
}

const figure = (name: RegExp) => screen.findByRole('link', { name })

/** What the tooltip of a figure says. */
function tooltipOf(link: HTMLElement) {
  const tooltip = document.getElementById(link.getAttribute('aria-describedby') ?? '')
  return { text: tooltip?.textContent, red: tooltip?.innerHTML.includes('--bad') }
}

test('four figures of one number lead to what is behind them; the rest is in their tooltips', async () => {
  service()
  renderPage('/')
  const messages = await figure(/^Messages/)
  expect(messages.textContent).toBe('Messages4,540')
  expect(messages.getAttribute('href')).toMatch(/^\/usage\?range=own&from=[\d-]{10}&to=[\d-]{10}&show=messages$/)
  expect(tooltipOf(messages)).toEqual({ text: '▲ 11.3% upvs. 4,079 the day before', red: false })
  const success = await figure(/^Success rate/)
  expect(success.textContent).toBe('Success rate97.4%')
  expect(success.getAttribute('href')).toBe('/activity/requests?outcome=FAILED')
  expect(tooltipOf(success).text).toBe('▼ 1.9 points down121 failed, 78 rejected')
  const time = await figure(/^Reply time/)
  expect(time.textContent).toBe('Reply time1.4s median')
  expect(tooltipOf(time).text).toBe('p95 4.3 sAbout the same as the day before')
  const credits = await figure(/^Credits left/)
  await waitFor(() => expect(credits.textContent).toBe('Credits left182,400'))
  expect(credits.getAttribute('href')).toBe('/usage/credits')
  expect(tooltipOf(credits).text).toBe('about 34 days5,704 used')
  expect(screen.getByText('All good. Nothing needs your attention.')).toBeTruthy()
})

test('only what is bad is red', async () => {
  service({ ...used, now: { ...used.before, messages: 400, failed: 30, durationP50Ms: 3000 }, before: used.now })
  renderPage('/')
  const messages = tooltipOf(await figure(/^Messages/))
  expect(messages.text).toContain('▼ 91.2%')
  expect(messages.red).toBe(false)
  expect(tooltipOf(await figure(/^Success rate/))).toMatchObject({
    text: expect.stringContaining('▼'),
    red: true,
  })
  const time = tooltipOf(await figure(/^Reply time/))
  expect(time).toMatchObject({ text: expect.stringContaining('▲ 1.6 s'), red: true })
})

test('few messages are compared with nothing, and a fall to a good rate is not red', async () => {
  service({
    ...used,
    now: { messages: 960, failed: 40, durationP50Ms: 9000 },
    before: { messages: 18, failed: 1, durationP50Ms: 900 },
  })
  renderPage('/')
  expect(tooltipOf(await figure(/^Messages/)).text).toBe('vs. 18 the day before')
  expect(tooltipOf(await figure(/^Success rate/))).toEqual({ text: '40 failed, 0 rejected', red: false })
})

test('an account without use in the period has figures all the same, grey where they say nothing', async () => {
  service({})
  renderPage('/')
  const messages = await figure(/^Messages/)
  expect(messages.textContent).toBe('Messages0')
  expect(tooltipOf(messages).text).toBe('None the day before')
  const success = await figure(/^Success rate/)
  expect(success.textContent).toBe('Success rate–')
  expect([messages, success].map((link) => link.querySelector('[data-few]') !== null)).toEqual([false, true])
  expect(tooltipOf(await figure(/^Reply time/)).text).toBe('No replies')
})

test('readers find the hours of a figure in a table', async () => {
  service()
  renderPage('/')
  await figure(/^Messages/)
  const table = within(screen.getByRole('table', { name: 'Messages' }))
  expect(table.getAllByRole('row')).toHaveLength(24)
  expect(table.getAllByRole('rowheader')[0]?.textContent).toMatch(/^\d+:00\s(AM|PM)$/)
})

test('everything is counted by one request; the period is in the address', async () => {
  const asked = service()
  const { router } = renderPage('/')
  await figure(/^Messages/)
  const request = asked.slice(0, 6) // the page asks again every few seconds
  expect(request.map(({ interval }) => interval).filter(Boolean)).toEqual(['HOUR', 'HOUR'])
  expect(asked.length % 6).toBe(0)
  await userEvent.click(screen.getByRole('radio', { name: '7 days' }))
  await screen.findByRole('region', { name: 'Last 7 days' })
  expect(router.state.location.search).toEqual({ range: '7d' })
  const points = asked.findLast(({ interval }) => interval === 'DAY')
  expect(points?.interval).toBe('DAY')
  expect(Date.parse(points?.filter.to ?? '') - Date.parse(points?.filter.from ?? '')).toBeGreaterThanOrEqual(
    14 * 86_400_000,
  )
})

test('agents stand by use; tests are told from requests, and no use from both', async () => {
  service()
  renderPage('/')
  const table = within(await screen.findByRole('region', { name: /^Most used agents/ }))
  const rows = table.getAllByRole('row').slice(1)
  const cells = (row: HTMLElement) => [...row.querySelectorAll('td')].slice(1).map(({ textContent }) => textContent)
  expect(rows.map((row) => within(row).getAllByRole('link')[0]?.textContent)).toEqual(['Desk', 'Drafts', 'Spare'])
  expect(rows.map(cells)).toEqual([
    [expect.stringMatching(/: 0/), '4,652', '97.3%', '22,655'],
    ['Try only', '9', '100%', '0'],
    ['Not used', '0', '–', '0'],
  ])
})

test('what needs attention leads to where something can be done', async () => {
  service({
    ...used,
    list: [agent('Changed', { hasUnpublishedChanges: true }), desk],
    lastHour: [
      { agent: desk, status: 'answered', messages: 47 },
      { agent: desk, status: 'model_error', failed: 14 },
    ],
    exports: [
      { ...idle, id: 'e1', name: 'Till', dailyCreditLimit: 1200, creditsUsedToday: 1081 },
      { ...idle, id: 'e2', name: 'Landing', expiresAt: inMinutes(3 * 24 * 60 + 5) },
    ],
  })
  renderPage('/')
  const list = within(await screen.findByRole('region', { name: 'Needs attention 4' }))
  const rows = list.getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    '22% of requests to Desk are failing14 of 61 in the last hour · model_errorView requests',
    'Till has used 90% of its daily credit limit1,081 of 1,200 today (UTC)Raise limit',
    'Landing expires in 3 daysExtend',
    'Changed has unpublished changesVersion 7 is liveReview',
  ])
  expect(list.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    `/activity/requests?agentId=${desk.id}&outcome=FAILED`,
    '/exports/e1',
    '/exports/e2',
    `/agents/${agent('Changed').id}`,
  ])
})

test.each([
  ['Out of credits', 0],
  ['Low on credits', 10_000],
])('%s is said once, and nothing says that all is good', async (title, credits) => {
  service({ ...used, credits })
  renderPage('/')
  expect(await screen.findAllByText(title)).toHaveLength(1)
  expect(await screen.findByRole('region', { name: 'Last 24 hours' })).toBeTruthy()
  await waitFor(() => expect(screen.queryAllByRole('status', { name: 'Loading' })).toHaveLength(0))
  expect(screen.queryByRole('region', { name: /^Needs attention/ })).toBeNull()
  expect(screen.queryByText(/^All good/)).toBeNull()
})

test('at most eight things need attention at once', async () => {
  const list = Array.from({ length: 11 }, (_, at) => ({
    ...agent('Many', { hasUnpublishedChanges: true }),
    id: `a${at}`,
  }))
  service({ ...used, list })
  renderPage('/')
  const rows = within(await screen.findByRole('region', { name: 'Needs attention 11' })).getAllByRole('listitem')
  expect(rows).toHaveLength(9)
  expect(rows.at(-1)?.textContent).toBe('and 3 more')
})

test('the latest conversations have their words, user or session, and time, and say if a message failed', async () => {
  service({
    ...used,
    conversations: [
      { ...conversation, userId: 'maria' },
      { ...conversation, id: 'c2', sessionId: 'visitor 8', failedTurns: 1, lastTurnAt: '2026-01-02T12:00:00Z' },
    ],
  })
  renderPage('/')
  const rows = within(await screen.findByRole('region', { name: 'Latest conversations' })).getAllByRole('listitem')
  const [first, second] = rows.map(({ textContent }) => textContent)
  expect(first).toMatch(/^DWhere is my parcel\?with Deskmaria\d+:\d\d\s(AM|PM)$/)
  expect(second).toMatch(/^DWhere is my parcel\?with Deskvisitor 8failedJan 2$/)
  expect(within(rows[0] as HTMLElement).getByRole('link').textContent).toBe('Where is my parcel?')
  expect(screen.getByRole('link', { name: 'All conversations' }).getAttribute('href')).toBe('/activity/conversations')
})
