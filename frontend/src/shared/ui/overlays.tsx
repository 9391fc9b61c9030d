import { lazy, Suspense, useSyncExternalStore } from 'react'

// Dialogs and notifications are loaded when the first one is shown: most visits to most pages need none.
const Hosts = lazy(() => import('./OverlayHosts'))

let needed = false
const listeners = new Set<() => void>()
let arrived: () => void
/** Resolves when dialogs can be opened. */
const ready = new Promise<void>((resolve) => {
  arrived = resolve
})

/** Has the hosts of dialogs and notifications loaded and mounted; resolves when they are. */
export function needOverlays(): Promise<void> {
  needed = true
  for (const listener of listeners) listener()
  return ready
}

/** Where dialogs and notifications appear. It stands once, beside the pages. */
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
