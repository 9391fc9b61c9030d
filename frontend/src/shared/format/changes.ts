// The rule for every page that compares periods: when a figure counts as changed. success.ts has the rule for poor figures.

import { isPoor, successOf } from './success'

/** From how many messages on a comparison says something. */
const fewest = 20
/** Beyond this many percent a change says only that there was little before. */
const mostPercent = 300
/** Times are counted in steps of 1.5: two that differ by less than this factor may be the same. */
const sameTime = 2

/** How a figure differs from the one of the period before. */
export type Change = { kind: 'same' } | { kind: 'up' | 'down'; by: number; tone?: 'good' | 'bad' }

type Counts = { messages: number; failed: number }

/** By how many percent a count has changed, if there were enough messages before to say so. Less use is no fault. */
export function countChange(now: number, before: number, messagesBefore: number): Change | undefined {
  if (messagesBefore < fewest || before <= 0) return undefined
  const by = tenths((100 * (now - before)) / before)
  if (Math.abs(by) >= mostPercent) return undefined
  if (by === 0) return { kind: 'same' }
  return by > 0 ? { kind: 'up', by, tone: 'good' } : { kind: 'down', by: -by }
}

/** By how many percentage points the rate of success has changed; a fall is bad only where the rate is. */
export function successChange(now: Counts, before: Counts): Change | undefined {
  const rates = [successOf(now), successOf(before)] as const
  if (rates[0] === null || rates[1] === null || before.messages + before.failed < fewest) return undefined
  const by = tenths(100 * (rates[0] - rates[1]))
  if (by === 0) return { kind: 'same' }
  return by > 0 ? { kind: 'up', by, tone: 'good' } : { kind: 'down', by: -by, tone: isPoor(now) ? 'bad' : undefined }
}

type Timed = { messages: number; durationP50Ms?: number | null }

/** By how many milliseconds the median time to reply has changed, from twice or half of it on. */
export function timeChange(now: Timed, before: Timed): Change | undefined {
  const times = [now.durationP50Ms, before.durationP50Ms] as const
  if (times[0] == null || times[1] == null || before.messages < fewest) return undefined
  const [slower, faster] = [times[0] >= sameTime * times[1], times[1] >= sameTime * times[0]]
  if (slower === faster) return { kind: 'same' }
  const by = Math.abs(times[0] - times[1])
  return slower ? { kind: 'up', by, tone: 'bad' } : { kind: 'down', by, tone: 'good' }
}

const tenths = (value: number) => Math.round(value * 10) / 10
