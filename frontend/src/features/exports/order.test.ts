import { expect, test } from 'vitest'
import type { Sort } from '@/shared/ui'
import type { Column } from './columns'
import { inOrder } from './order'
import type { AccountExport } from './queries'

const row = (id: string, more: Partial<AccountExport>): AccountExport => ({
  id,
  name: id,
  state: 'ACTIVE',
  removedAt: null,
  lastUsedAt: null,
  expiresAt: null,
  rateLimitPerMinute: 600,
  version: null,
  dailyCreditLimit: null,
  monthlyCreditLimit: null,
  creditsUsedToday: 0,
  creditsUsedThisMonth: 0,
  requireUserId: false,
  userDailyMessageLimit: null,
  keys: [],
  agent: { id: 'x', name: 'Shop' },
  ...more,
})

const rows = [
  row('a', { name: 'Till 10', agent: { id: '1', name: 'Shop' }, creditsUsedToday: 9, creditsUsedThisMonth: 900 }),
  row('b', {
    name: 'till 9',
    agent: { id: '2', name: 'Élan' },
    lastUsedAt: '2026-01-01T00:00:00Z',
    dailyCreditLimit: 5,
  }),
  row('c', { name: 'Kiosk', agent: { id: '2', name: 'Élan' }, state: 'PAUSED', expiresAt: '2026-03-01T00:00:00Z' }),
  row('d', {
    name: 'Äpfel',
    expiresAt: '2026-02-01T00:00:00Z',
    lastUsedAt: '2026-01-02T00:00:00Z',
    creditsUsedThisMonth: 80,
    monthlyCreditLimit: 100,
  }),
]

const order = (sort?: Sort<Column>, near = false) =>
  inOrder(rows, sort, near)
    .map(({ id }) => id)
    .join('')

test.each<[Sort<Column>, string]>([
  ['name', 'dcba'],
  ['-name', 'abcd'],
  ['agent', 'bcad'],
  ['state', 'abdc'],
  ['-today', 'abcd'],
  ['-month', 'adbc'],
  ['expires', 'dcab'],
  ['-expires', 'cdab'],
  ['-used', 'dbac'],
])('exports by %s: alike ones stay as they are, those without a value come last', (sort, want) =>
  expect(order(sort)).toBe(want),
)

test('without an order they stay as they came, the newest first', () => expect(order()).toBe('abcd'))

test('near a limit are those that have used 80% of one, as on the home page', () =>
  expect(order('name', true)).toBe('d'))
