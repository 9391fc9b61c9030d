/** A navigation that waits for permission. */
export type Departure = {
  /** Aborted once another navigation replaces this one. */
  signal: AbortSignal
  /** What to do when the page is left: what the reader agreed to discard. */
  discards: Set<() => void>
}

/** A part of the page that may hold unsaved text. */
export type Guard = {
  /** Whether closing the tab now loses nothing. */
  isSaved: () => boolean
  /** Saves, or asks the reader. Resolves with whether the page may be left. */
  mayLeave: (departure: Departure) => Promise<boolean>
}

const guards = new Set<Guard>()

/** Has navigations wait for a guard. Returns what ends that. */
export function guardLeaving(guard: Guard): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

// All are asked, because being asked makes them save.
export const isAllSaved = () => Array.from(guards, (guard) => guard.isSaved()).every(Boolean)

export async function mayLeave(departure: Departure): Promise<boolean> {
  for (const guard of guards) if (!(await guard.mayLeave(departure))) return false
  return true
}
