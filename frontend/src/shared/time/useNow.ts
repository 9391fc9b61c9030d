import { useSyncExternalStore } from 'react'
import { onClockSet, serverNow } from './clock'

const intervalMs = 30_000
const listeners = new Set<() => void>()
let stop: (() => void) | undefined
let now = serverNow()

// Skips hidden pages, so that queries that depend on the time send no requests.
function tick() {
  if (document.visibilityState === 'hidden') return
  now = serverNow()
  for (const listener of listeners) listener()
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
  const timer = setInterval(tick, intervalMs)
  const leaveClock = onClockSet(tick)
  document.addEventListener('visibilitychange', tick)
  return () => {
    clearInterval(timer)
    leaveClock()
    document.removeEventListener('visibilitychange', tick)
  }
}

// Timers fire late after a sleep and stop without listeners, so each render checks the time.
function current(): number {
  if (document.visibilityState !== 'hidden' && Math.abs(serverNow() - now) > 2 * intervalMs) now = serverNow()
  return now
}

/** The server's time in milliseconds, updated every half minute while the page is visible, by one timer for all users of this hook. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, current)
}
