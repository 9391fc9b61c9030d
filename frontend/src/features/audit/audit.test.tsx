import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { words } from '@/features/settings'
import type { AuditFilter } from '@/gql/graphql'
import { session } from '@/shared/gql'
import { answer, inMinutes, schema } from '@/shared/testing/server'
import { formatExact, startOfDate } from '@/shared/time'
import { renderPage } from '@/testing/renderPage'
import { actions } from './names'

afterEach(() => {
  session.forget()
  vi.restoreAllMocks()
})

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const bob = '00000000-0000-4000-8000-000000000002'
const members = [
  { userId: 'u1', name: 'Ada', email: 'ada@example.com', role: 'OWNER', since: inMinutes(-60), secondFactor: false },
  { userId: bob, name: 'Bob', email: 'bob@example.com', role: 'EDITOR', since: inMinutes(-60), secondFactor: false },
]

const user = { kind: 'USER', actorId: bob, name: 'bob@example.com' }
type Entry = { action: string; actor?: object; subject?: string; fields?: string[]; browser?: string; address?: string }
type Asked = { first: number; after?: string | null; filter?: AuditFilter }

/** The time of an entry: one each hour, newest first. */
const hourOf = (entry: number) => new Date(Date.UTC(2026, 0, 31, 12 - entry)).toISOString()

/** An account with these entries, an agent a1 and an export e1, as a member sees it. It notes what is asked of the trail. */
function service(entries: Entry[], viewerRole = 'OWNER') {
  const asked: Asked[] = []
  const nodes = entries.map(({ action, actor = user, subject = 'gone', fields = [], browser, address }, i) => ({
    id: `n${i}`,
    at: hourOf(i),
    actor,
    action,
    subject,
    details: fields.map((field) => ({ field })),
    browser,
    address,
  }))
  const auditLog = (args: Asked) => {
    asked.push({ ...args, filter: { ...args.filter } })
    const found = nodes.filter(({ action }) => !args.filter?.action || action === args.filter.action)
    const from = Number(args.after ?? 0)
    const to = from + 2 // smaller pages than were asked for
    return { nodes: found.slice(from, to), pageInfo: { hasNextPage: to < found.length, endCursor: String(to) } }
  }
  const page = { hasNextPage: false }
  const agent = { id: 'a1', name: 'Shop' }
  const exported = { id: 'e1', name: 'Website', state: 'ACTIVE', agent }
  answer({
    viewer: {
      id: '1',
      name: 'Northwind',
      viewerRole,
      createdAt: '2026-01-01T00:00:00Z',
      members,
      auditLog,
      exports: { nodes: [exported], pageInfo: page },
    },
    agents: { nodes: [agent], pageInfo: page },
  })
  session.signedIn('good', inMinutes(15), Date.now())
  return asked
}

const rows = async () =>
  within(await screen.findByRole('region', { name: 'Audit trail' }))
    .getAllByRole('row')
    .slice(1)
const texts = (row: HTMLElement) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent)

async function choose(field: string, option: string) {
  await userEvent.click(screen.getByRole('combobox', { name: field }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

test('each entry says what was done, by whom, on what, from where and when; page by page', async () => {
  service([
    {
      action: 'updateApiExport',
      subject: 'e1',
      fields: ['name', 'dailyCreditLimit'],
      browser: firefox,
      address: '::1',
    },
    { action: 'publishAgent', subject: 'a1', actor: { kind: 'TOKEN', actorId: 't1', name: 'Night job' } },
    { action: 'credits grant', subject: '1', actor: { kind: 'OPERATOR', name: 'Grace' } },
    { action: 'setMemberRole', subject: 'u1' },
    { action: 'export pause', subject: 'e1', actor: { kind: 'OPERATOR', name: '' } },
    { action: 'doSomething', fields: ['somehow'], actor: { kind: 'USER', actorId: 'u9', name: '' } },
    { action: 'signInFailed', actor: { kind: 'SYSTEM', name: 'Agent Chat' } },
    { action: 'verifyEmail', fields: ['email'], actor: { kind: 'TOKEN', actorId: 't9', name: '' } },
  ])
  renderPage('/settings/audit')
  await screen.findByRole('link', { name: 'Website' })
  expect((await rows()).map(texts)).toEqual([
    [formatExact(hourOf(0)), 'Bob', 'API export updatedname, daily credit limit', 'Website', '::1 · Firefox, Linux'],
    [formatExact(hourOf(1)), 'Night jobAccount token', 'Agent published', 'Shop', ''],
  ])
  expect(screen.getByText('Bob').title).toBe('bob@example.com')
  expect(screen.getByRole('link', { name: 'Shop' }).getAttribute('href')).toBe('/agents/a1')
  expect(screen.getByRole('link', { name: 'Website' }).getAttribute('href')).toBe('/exports/e1')
  for (const shown of [4, 6, 8]) {
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
    await waitFor(async () => expect(await rows()).toHaveLength(shown))
  }
  expect((await rows()).slice(2).map((row) => texts(row).slice(1, 4))).toEqual([
    ['GraceOperator', 'Credits added by the operator', ''],
    ['Bob', 'Member’s role changed', 'Ada'],
    ['Operator', 'API export paused by the operator', 'Website'],
    ['Former member', 'doSomethingsomehow', '…gone'],
    ['Agent ChatSystem', 'Failed attempts with a wrong password or code', ''],
    ['Revoked token', 'Email changedemail', ''],
  ])
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('the trail is filtered by action, person and days, which the address keeps', async () => {
  const asked = service([{ action: 'createAgent' }, { action: 'signIn' }, { action: 'createAgent' }])
  const { router } = renderPage('/settings/audit?from=2026-01-01&to=2026-01-31')
  await rows()
  const head = document.querySelector('.panel-print')?.textContent.replace(/\s/g, ' ') // thin spaces in ranges
  expect(head).toMatch(/^Northwind · January 1 – 31, 2026 · Printed /)
  const days = { from: startOfDate('2026-01-01'), to: startOfDate('2026-02-01') }
  expect(asked.at(-1)?.filter).toEqual(days)
  await choose('Action', 'Signed in')
  await waitFor(async () => expect((await rows()).map((row) => texts(row)[2])).toEqual(['Signed in']))
  await choose('Member', 'bob@example.com')
  await waitFor(() => expect(asked.at(-1)?.filter).toEqual({ ...days, action: 'signIn', actorId: bob }))
  expect(router.state.location.search).toEqual({ action: 'signIn', actor: bob, from: '2026-01-01', to: '2026-01-31' })
  await choose('Action', 'Agent published')
  expect(await screen.findByText('No matching entries')).toBeTruthy()
  await userEvent.click(within(screen.getByRole('search')).getByRole('button', { name: 'Clear filters' }))
  await waitFor(async () => expect(await rows()).toHaveLength(2))
  expect(router.state.location.search).toEqual({})
})

test('the CSV has all pages of what is chosen, and no formula', async () => {
  const files: Blob[] = []
  URL.createObjectURL = (file) => {
    files.push(file as Blob)
    return 'blob:file'
  }
  URL.revokeObjectURL = () => undefined
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const made = { action: 'createAgent', subject: 'a1', address: '192.0.2.80', fields: ['name', 'role'] }
  const asked = service([
    { ...made, browser: '=cmd|"/c calc"!A1' },
    { action: 'signIn' },
    made,
    { ...made, actor: { kind: 'OPERATOR', name: '@Grace' } },
  ])
  renderPage('/settings/audit?action=createAgent')
  await rows()
  await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }))
  await waitFor(() => expect(files).toHaveLength(1))
  const lines = (await (files[0] as Blob).text()).split('\r\n')
  expect(lines).toHaveLength(1 + 3 + 1)
  expect(lines[0]).toContain('"Time (UTC)","Action","Action code","Actor type","Actor",')
  expect(lines[1]).toContain(`"Agent created","createAgent","Member","bob@example.com","${bob}","a1","name role"`)
  expect(lines[1]).toContain(`"'=cmd`)
  expect(lines[3]).toContain(`"Operator","'@Grace",,"a1"`)
  expect(asked.slice(-2)).toMatchObject([
    { first: 100, after: null, filter: { action: 'createAgent' } },
    { first: 100, after: '2', filter: { action: 'createAgent' } },
  ])
})

test('editors see no trail, and nothing is asked for them', async () => {
  const asked = service([{ action: 'createAgent' }], 'EDITOR')
  renderPage('/settings/audit')
  expect(await screen.findByText('Only owners can do this.')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Audit trail' })).toBeNull()
  expect(screen.queryByRole('search')).toBeNull()
  expect(asked).toEqual([])
})

test('every mutation that leaves an entry has its words', () => {
  const none = ['requestEmailVerification', 'requestPasswordReset', 'startSecondFactor', 'sendTestMessage']
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {})
  const known = [...actions, ...Object.keys(words), ...none]
  expect(mutations.length).toBeGreaterThan(50)
  expect(mutations.filter((name) => !known.includes(name))).toEqual([])
})
