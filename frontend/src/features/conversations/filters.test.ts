import { expect, test } from 'vitest'
import { toFilter } from './filters'

test('unset filters are not sent', () => {
  expect(JSON.stringify(toFilter({ search: '' }, {}))).toBe('{}')
  expect(toFilter({ search: 'order', source: 'API' }, {})).toMatchObject({ search: 'order', source: 'API' })
  expect(toFilter({ rating: 'DOWN' }, {})).toMatchObject({ rating: 'DOWN' })
})
