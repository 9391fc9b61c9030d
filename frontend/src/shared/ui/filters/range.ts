import { type Dates, isBackward, lastDays, startOfDate } from '@/shared/time'

export const ranges = ['today', '7d', '30d', 'all', 'own'] as const

/** The time range of a list as the address has it: the last 7 days without any. */
export type RangeSearch = Dates & { time?: (typeof ranges)[number] }

const days = { today: 1, '7d': 7, '30d': 30 }

/** Which range it is: days in the address are a range of one's own. */
export const chosen = ({ time, from, to }: RangeSearch) => time ?? (from || to ? 'own' : '7d')

/** The range as the service takes it, in whole local days; without a bound it is open there. Undefined if it is backward. */
export function rangeOf(search: RangeSearch, now: number): { from?: string; to?: string } | undefined {
  const range = chosen(search)
  if (range === 'all') return {}
  if (range !== 'own') return lastDays(days[range], now)
  if (isBackward(search)) return undefined
  return { from: startOfDate(search.from), to: startOfDate(search.to, 1) }
}
