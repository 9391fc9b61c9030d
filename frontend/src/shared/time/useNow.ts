import { useSyncExternalStore } from 'react'

const everyMs = 30_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

// A hidden page stands still: what depends on the time must not ask the service then.
function tick() {
  if (document.visibilityState === 'hidden') return
  now = Date.now()
  for (const each of listeners) each()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(tick, everyMs)
    document.addEventListener('visibilitychange', tick)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

/** The current time in milliseconds, updated every half minute while the page is visible, by one timer for all users of this hook. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}
