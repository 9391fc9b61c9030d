import type { Entry } from '../messages/entries'

/** A message to both sides. A side that has not got it has no entry. */
export type Exchange = { key: string; left?: Entry; right?: Entry }

/**
 * The messages of two conversations side by side. What was sent here is known to be the same message; of what the service has kept,
 * the same text is, and a failed message and its retry are one.
 */
export function exchangesOf(left: Entry[], right: Entry[]): Exchange[] {
  const rows = new Map<string, Exchange>()
  const enter = (entries: Entry[], side: 'left' | 'right') => {
    const answered = new Map<string, number>()
    for (const entry of entries) {
      const { message, pair, outcome } = entry
      const before = answered.get(message) ?? 0
      const key = pair ?? `${before} ${message}`
      if (!(outcome.kind === 'turn' && outcome.turn.state === 'FAILED')) answered.set(message, before + 1)
      rows.set(key, { ...(rows.get(key) ?? { key }), [side]: entry })
    }
  }
  enter(left, 'left')
  enter(right, 'right')
  return [...rows.values()]
}
