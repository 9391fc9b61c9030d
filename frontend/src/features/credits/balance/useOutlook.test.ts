import { expect, test } from 'vitest'
import { outlook } from './useOutlook'

test.each([
  [1_000, 70, 100, 'enough'],
  [30, 70, 3, 'low'],
  [1_000, 0, undefined, 'enough'],
  [49, 0, undefined, 'low'],
  [0, 70, 0, 'none'],
  [-5, 70, 0, 'none'],
  [1_000, undefined, undefined, 'enough'],
])('%s credits with %s spent in a week last %s days: %s', (available, spent, days, state) => {
  expect(outlook(available, spent)).toMatchObject({ days, state })
})

test.each([
  [100, 100, 'low'],
  [101, 100, 'enough'],
  [20, 10, 'enough'],
  [0, 10, 'none'],
])('%s credits with a threshold of %s: %s', (available, lowAt, state) => {
  expect(outlook(available, 0, lowAt).state).toBe(state)
})
