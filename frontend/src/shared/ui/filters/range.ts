import { boundsOf, type Dates, lastDays, type Span } from '@/shared/time'

export const ranges = ['today', '7d', '30d', 'all', 'own'] as const

/** The time range of a list as the address has it: the last 7 days without any. */
export type RangeSearch = Dates & { time?: (typeof ranges)[number] }

const days = { today: 1, '7d': 7, '30d': 30 }

/** Which range it is: days in the address are a range of one's own. */
export const chosen = ({ time, from, to }: RangeSearch) => time ?? (from || to ? 'own' : '7d')

/** The range as the service takes it, in whole local days. */
export function rangeOf(search: RangeSearch, now: number): Partial<Span> {
  const range = chosen(search)
  if (range === 'all') return {}
  if (range !== 'own') return lastDays(days[range], now)
  return boundsOf(search)
}
