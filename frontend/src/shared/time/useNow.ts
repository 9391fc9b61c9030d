import { useSyncExternalStore } from 'react'
import { onClockSet, serverNow } from './clock'

const everyMs = 30_000
const listeners = new Set<() => void>()
let stop: (() => void) | undefined
let now = serverNow()

// A hidden page stands still: what depends on the time must not ask the service then.
function tick() {
  if (document.visibilityState === 'hidden') return
  now = serverNow()
  for (const each of listeners) each()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = serverNow()
    stop = start()
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) stop?.()
  }
}

function start(): () => void {
  const timer = setInterval(tick, everyMs)
  const leaveClock = onClockSet(tick)
  document.addEventListener('visibilitychange', tick)
  return () => {
    clearInterval(timer)
    leaveClock()
    document.removeEventListener('visibilitychange', tick)
  }
}

// Timers are late after a sleep, and stop without listeners, so each render reads the current time.
function current(): number {
  if (document.visibilityState !== 'hidden' && Math.abs(serverNow() - now) > 2 * everyMs) now = serverNow()
  return now
}

/** The server's time in milliseconds, updated every half minute while the page is visible, by one timer for all users of this hook. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, current)
}
