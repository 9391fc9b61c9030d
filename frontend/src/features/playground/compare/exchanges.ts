import type { Entry } from '../messages/entries'

/** A message to both sides, or the results of actions on each. A side that has not got it has no entry. */
export type Exchange = { key: string; left?: Entry; right?: Entry }

/**
 * The messages of two conversations side by side. What was sent here is known to be the same message; of what the service has kept,
 * the same text is, and a failed message and its retry are one. Results stand beside those that followed the same message.
 */
export function exchangesOf(left: Entry[], right: Entry[]): Exchange[] {
  const rows: Exchange[] = []
  const enter = (entries: Entry[], side: 'left' | 'right') => {
    const answered = new Map<string, number>()
    let at = -1
    let message = ''
    for (const entry of entries) {
      const text = entry.results ? `results of ${message}` : entry.message
      const before = answered.get(text) ?? 0
      const key = entry.pair ?? `${before} ${text}`
      if (!entry.results) message = key
      const { outcome } = entry
      if (!(outcome.kind === 'turn' && outcome.turn.state === 'FAILED')) answered.set(text, before + 1)
      const found = rows.findIndex((row) => row.key === key)
      at = found < 0 ? at + 1 : found
      rows.splice(at, found < 0 ? 0 : 1, { ...(rows[found] ?? { key }), [side]: entry })
    }
  }
  enter(left, 'left')
  enter(right, 'right')
  return rows
}
