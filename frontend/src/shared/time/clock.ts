/** The Date header counts whole seconds, and takes a while to arrive. */
const exactMs = 2_000

let ahead = 0
const listeners = new Set<() => void>()

/** The current time in milliseconds by the server's clock, which made all the times that are shown; this machine's may be wrong. */
export function serverNow(): number {
  return Date.now() + ahead
}

/** Takes the time of an answer that has just come. One without a time leaves only this machine's clock. */
export function hearServerTime(date: string | null) {
  const time = Date.parse(date ?? '')
  const heard = Number.isNaN(time) ? 0 : time - Date.now()
  if (Math.abs(heard - ahead) < exactMs) return
  ahead = Math.abs(heard) < exactMs ? 0 : heard
  for (const listener of listeners) listener()
}

/** Calls listener when the time has turned out to be another one. Returns the unsubscribe function. */
export function onClockSet(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
