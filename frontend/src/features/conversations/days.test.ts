import { expect, test } from 'vitest'
import { isBackward, toFilter } from './days'

test('the days are the reader’s, and the last one counts as a whole', () => {
  const { from, to } = toFilter({ from: '2026-02-27', to: '2026-02-28' })
  expect(from).toBe(new Date(2026, 1, 27).toISOString())
  expect(to).toBe(new Date(2026, 2, 1).toISOString())
})

test('a year of few digits is meant as written', () => {
  expect(new Date(toFilter({ from: '0099-03-01' }).from ?? '').getFullYear()).toBe(99)
})

test('what is not filtered by is not sent', () => {
  expect(JSON.stringify(toFilter({ search: '' }))).toBe('{}')
  expect(toFilter({ search: 'order', source: 'API' })).toMatchObject({ search: 'order', source: 'API' })
})

test.each([
  [{ from: '2026-01-02', to: '2026-01-01' }, true],
  [{ from: '2026-01-02', to: '2026-01-02' }, false],
  [{ from: '2026-01-02' }, false],
  [{ to: '2026-01-02' }, false],
])('%o is backward: %s', (filters, want) => {
  expect(isBackward(filters)).toBe(want)
})
