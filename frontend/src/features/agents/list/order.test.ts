import { expect, test } from 'vitest'
import type { Sort } from '@/shared/ui'
import type { ListedAgent } from '../queries'
import { figuresOf } from './figures'
import { type Column, inOrder } from './order'

const agent = (id: string, more: Partial<ListedAgent>): ListedAgent => ({
  id,
  name: id,
  description: '',
  state: 'LIVE',
  hasUnpublishedChanges: false,
  lastUsedAt: null,
  publishedVersion: null,
  model: null,
  exports: [],
  ...more,
})

const agents = [
  agent('a', { name: 'Line 10', model: { name: 'm/b', label: 'B' }, lastUsedAt: '2026-01-01T00:00:00Z' }),
  agent('b', { name: 'line 9', state: 'OFFLINE', exports: [{ id: 'e' }] }),
  agent('c', { name: 'Élan', state: 'DRAFT', model: { name: 'm/a', label: 'A' } }),
  agent('d', { name: 'Zoo', lastUsedAt: '2026-01-02T00:00:00Z' }),
]

const figures = figuresOf(
  new Map([
    ['a', { messages: 9, failed: 1, credits: 5 }],
    ['b', { messages: 30, failed: 0, credits: 2 }],
  ]),
)

const order = (sort: Sort<Column>, of = agents, known: typeof figures | undefined = figures) =>
  inOrder(of, sort, known)
    .map(({ id }) => id)
    .join('')

test.each<[Sort<Column>, string]>([
  ['name', 'cbad'],
  ['-name', 'dabc'],
  ['state', 'dacb'],
  ['-state', 'bcda'],
  // Without a model: last both ways.
  ['model', 'cadb'],
  ['-model', 'acdb'],
  ['-exports', 'bdac'],
  ['-messages', 'badc'],
  ['messages', 'dcab'],
  // Nothing was answered or failed: last both ways.
  ['-success', 'badc'],
  ['success', 'abdc'],
  ['-credits', 'abdc'],
  ['-used', 'dabc'],
  ['used', 'adbc'],
])('agents by %s', (sort, want) => expect(order(sort)).toBe(want))

test('until the figures have come, agents are in the order of their last use', () => {
  expect(inOrder(agents, '-messages', undefined).map(({ id }) => id)).toEqual(['d', 'a', 'b', 'c'])
})
