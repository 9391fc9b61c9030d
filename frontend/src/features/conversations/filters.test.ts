import { expect, test } from 'vitest'
import { toFilter } from './filters'

test('what is not filtered by is not sent', () => {
  expect(JSON.stringify(toFilter({ search: '' }, {}))).toBe('{}')
  expect(toFilter({ search: 'order', source: 'API' }, {})).toMatchObject({ search: 'order', source: 'API' })
})
