import { expect, test } from 'vitest'
import { isNearly, limitsNear } from '.'

test('a limit is nearly used from 80% on', () => {
  expect(isNearly(79, 100)).toBe(false)
  expect(isNearly(80, 100)).toBe(true)
  expect(isNearly(1_000, null)).toBe(false)
})

test('the limits of an export that are nearly used, the most used first', () => {
  const use = { creditsUsedToday: 80, creditsUsedThisMonth: 950, dailyCreditLimit: 100, monthlyCreditLimit: 1_000 }
  expect(limitsNear(use)).toEqual([
    { period: 'month', used: 950, limit: 1_000 },
    { period: 'day', used: 80, limit: 100 },
  ])
  expect(limitsNear({ ...use, monthlyCreditLimit: null })).toEqual([{ period: 'day', used: 80, limit: 100 }])
  expect(limitsNear({ ...use, creditsUsedToday: 0, creditsUsedThisMonth: 0 })).toEqual([])
})
