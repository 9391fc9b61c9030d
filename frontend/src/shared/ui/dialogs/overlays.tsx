import { lazy, Suspense, useSyncExternalStore } from 'react'

// Dialogs and notifications are loaded on first use: most visits need none.
const Hosts = lazy(() => import('./OverlayHosts'))

let needed = false
const listeners = new Set<() => void>()
let arrived: () => void
/** Resolves when dialogs can be opened. */
const ready = new Promise<void>((resolve) => {
  arrived = resolve
})

/** Loads and mounts the hosts of dialogs and notifications. Resolves when they are ready. */
export function needOverlays(): Promise<void> {
  needed = true
  for (const listener of listeners) listener()
  return ready
}

/** The host of dialogs and notifications, mounted once beside the pages. */
export function Overlays() {
  const show = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => needed,
  )
  if (!show) return null
  return (
    <Suspense fallback={null}>
      <Hosts onReady={arrived} />
    </Suspense>
  )
}
