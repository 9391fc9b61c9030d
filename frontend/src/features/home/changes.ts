/** How a figure differs from the one of the period before. */
export type Change = { kind: 'first' } | { kind: 'same' } | { kind: 'up' | 'down'; by: number; tone?: 'good' | 'bad' }

/** By how many percent a count has changed. Less use is no fault. */
export function countChange(now: number, before: number): Change {
  if (before === 0) return { kind: 'first' }
  const by = tenths((100 * (now - before)) / before)
  if (by === 0) return { kind: 'same' }
  return by > 0 ? { kind: 'up', by, tone: 'good' } : { kind: 'down', by: -by }
}

/** By how many percentage points a share has changed. */
export function shareChange(now: number | null, before: number | null): Change | undefined {
  if (now === null || before === null) return undefined
  const by = tenths(100 * (now - before))
  if (by === 0) return { kind: 'same' }
  return by > 0 ? { kind: 'up', by, tone: 'good' } : { kind: 'down', by: -by, tone: 'bad' }
}

/** Times are known in steps only: what differs by less than a tenth is the same. */
const sameTime = 0.1

/** By how many milliseconds a time has changed. */
export function timeChange(now: number | null | undefined, before: number | null | undefined): Change | undefined {
  if (now == null || before == null) return undefined
  const by = now - before
  if (Math.abs(by) <= sameTime * before) return { kind: 'same' }
  return by > 0 ? { kind: 'up', by, tone: 'bad' } : { kind: 'down', by: -by, tone: 'good' }
}

const tenths = (value: number) => Math.round(value * 10) / 10
