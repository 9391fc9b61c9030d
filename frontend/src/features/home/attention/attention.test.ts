import { expect, test } from 'vitest'
import type { AttentionExport, HomeAttention } from '../queries'
import type { LastHourRow } from '../usage'
import { type Concern, concernsOf } from './attention'

const now = Date.UTC(2026, 0, 10, 12)
const inDays = (days: number) => new Date(now + days * 24 * 3600_000).toISOString()

const anExport = (name: string, rest: Partial<AttentionExport> = {}): AttentionExport => ({
  id: name,
  name,
  agent: { id: 'a' },
  expiresAt: null,
  dailyCreditLimit: null,
  monthlyCreditLimit: null,
  creditsUsedToday: 0,
  creditsUsedThisMonth: 0,
  ...rest,
})
const anAgent = (name: string, rest: Partial<HomeAttention['agents']['nodes'][number]> = {}) => ({
  id: name,
  name,
  state: 'LIVE' as const,
  hasUnpublishedChanges: false,
  publishedVersion: { number: 2 },
  ...rest,
})
const row = (name: string, status: string, failed: number, messages = 0): LastHourRow => ({
  agent: { id: name, name },
  status,
  failed,
  messages,
})

type Has = { exports?: AttentionExport[]; agents?: ReturnType<typeof anAgent>[]; lastHour?: LastHourRow[] }

function concerns({ exports = [], agents = [], lastHour = [] }: Has) {
  const data = { agents: { nodes: agents }, viewer: { id: '1', exports: { nodes: exports } } }
  return concernsOf(data, lastHour, now)
}
const names = (found: Concern[]) => found.map((one) => ('agent' in one ? one.agent : one.export).name)

test('an agent fails from three failures and a tenth of its messages on; the worst is first', () => {
  const found = concerns({
    lastHour: [
      row('few', 'model_error', 2),
      row('well', 'model_error', 3),
      row('well', 'answered', 0, 28),
      row('bad', 'model_error', 3),
      row('bad', 'answered', 0, 27),
      row('worse', 'model_timeout', 1),
      row('worse', 'model_error', 2),
      row('worse', 'answered', 0, 1),
      { ...row('deleted', 'model_error', 9), agent: null },
    ],
  })
  expect(found).toEqual([
    { kind: 'failing', agent: { id: 'worse', name: 'worse' }, failed: 3, all: 4, code: 'model_error' },
    { kind: 'failing', agent: { id: 'bad', name: 'bad' }, failed: 3, all: 30, code: 'model_error' },
  ])
})

test('an export counts from 80% of a limit on, once, by the one of which it used most', () => {
  const found = concerns({
    exports: [
      anExport('below', { dailyCreditLimit: 100, creditsUsedToday: 79 }),
      anExport('near', { dailyCreditLimit: 100, creditsUsedToday: 80 }),
      anExport('both', {
        dailyCreditLimit: 10,
        creditsUsedToday: 9,
        monthlyCreditLimit: 100,
        creditsUsedThisMonth: 100,
      }),
      anExport('unlimited', { creditsUsedToday: 1_000_000 }),
    ],
  })
  expect(names(found)).toEqual(['both', 'near'])
  expect(found[0]).toMatchObject({ kind: 'limit', period: 'month', used: 100, limit: 100 })
  expect(found[1]).toMatchObject({ kind: 'limit', period: 'day', used: 80, limit: 100 })
})

test('an export counts from seven days before it expires on, the next one first', () => {
  const found = concerns({
    exports: [
      anExport('later', { expiresAt: inDays(7.1) }),
      anExport('in 6 days', { expiresAt: inDays(6) }),
      anExport('in 1 day', { expiresAt: inDays(1) }),
      anExport('never', { expiresAt: null }),
    ],
  })
  expect(names(found)).toEqual(['in 1 day', 'in 6 days'])
})

test('changes count where callers get something else', () => {
  const found = concerns({
    agents: [
      anAgent('same'),
      anAgent('changed', { hasUnpublishedChanges: true }),
      anAgent('draft', { hasUnpublishedChanges: true, publishedVersion: null, state: 'DRAFT' }),
      anAgent('offline', { hasUnpublishedChanges: true, state: 'DRAFT' }),
    ],
  })
  expect(found).toEqual([{ kind: 'unpublished', agent: { id: 'changed', name: 'changed' }, version: 2 }])
})

test('the worst is first', () => {
  const found = concerns({
    agents: [anAgent('changed', { hasUnpublishedChanges: true })],
    exports: [
      anExport('expiring', { expiresAt: inDays(2) }),
      anExport('near', { dailyCreditLimit: 10, creditsUsedToday: 9 }),
    ],
    lastHour: [row('failing', 'model_error', 3)],
  })
  expect(found.map(({ kind }) => kind)).toEqual(['failing', 'limit', 'expiring', 'unpublished'])
})
