import { expect, test } from 'vitest'
import { isBackward, toFilter } from './days'

test('what is not filtered by is not sent', () => {
  expect(JSON.stringify(toFilter({ search: '' }, {}))).toBe('{}')
  expect(toFilter({ search: 'order', source: 'API' }, {})).toMatchObject({ search: 'order', source: 'API' })
})

test.each([
  [{ from: '2026-01-02', to: '2026-01-01' }, true],
  [{ from: '2026-01-02', to: '2026-01-02' }, false],
  [{ from: '2026-01-02' }, false],
  [{ to: '2026-01-02' }, false],
])('%o is backward: %s', (filters, want) => {
  expect(isBackward(filters)).toBe(want)
})
