import { expect, test } from 'vitest'
import { columnsOf } from './columns'

test('a table is as wide as the columns that are shown, at the least', () => {
  const shape = columnsOf([
    40,
    undefined,
    { min: 200 },
    { width: 110, wide: true },
    false,
    {},
    { width: 96, wide: true },
  ])
  expect(shape).toMatchObject({ least: '586px', leastMedium: '380px', wideOnly: '3 5' })
  expect(shape.columns).toHaveLength(5)
})
