import { expect, test } from 'vitest'
import { type Hit, ranked } from './ranked'

const groups: { title: string; hits: Hit[] }[] = [
  { title: 'users', hits: [{ label: 'maria.lopez', id: 'maria.lopez', found: true }] },
  {
    title: 'agents',
    hits: [
      { label: 'Desk', id: 'a1' },
      { label: 'Old Maria', id: 'a2' },
      { label: 'Maria', id: 'a3' },
    ],
  },
  {
    title: 'exports',
    hits: [
      { label: 'Shop', of: 'Maria', id: 'e1' },
      { label: 'maria 2', of: 'Desk', id: 'e2' },
    ],
  },
  { title: 'sessions', hits: [{ label: 'x', id: 's1', found: true }] },
]
const found = (typed: string) =>
  ranked(typed, groups).map(({ title, hits }) => [title, ...hits.map(({ label }) => label)])

test('groups keep their order; in each, names come before what belongs to one', () => {
  expect(found('maria')).toEqual([
    ['users', 'maria.lopez'],
    ['agents', 'Old Maria', 'Maria'],
    ['exports', 'maria 2', 'Shop'],
    ['sessions', 'x'],
  ])
})

test('a group with the exact ID comes first, and the ID is at its top', () => {
  expect(found('a3')[0]).toEqual(['agents', 'Maria'])
  expect(found('s1')[0]).toEqual(['sessions', 'x'])
  expect(
    ranked('2', [{ title: 'users', hits: [...'12'].map((id) => ({ label: `2${id}`, id, found: true })) }]),
  ).toEqual([
    {
      title: 'users',
      hits: [
        { label: '22', id: '2', found: true },
        { label: '21', id: '1', found: true },
      ],
    },
  ])
})

test('of a group only so many are shown that others have room', () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ label: `Desk ${at}` }))
  expect(ranked('desk', [{ title: 'agents', hits: many }])[0]?.hits).toHaveLength(8)
})
