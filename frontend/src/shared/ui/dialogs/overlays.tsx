import { type ComponentType, useSyncExternalStore } from 'react'

// Confirmations are loaded on first use: most visits need none.
let Host: ComponentType<{ onReady: () => void }> | undefined
const listeners = new Set<() => void>()
let arrived: () => void
/** Resolves when confirmations can be opened. */
const ready = new Promise<void>((resolve) => {
  arrived = resolve
})

/** Loads and mounts the host of confirmations. Resolves when it is ready. */
export async function needOverlays(): Promise<void> {
  Host = (await import('./OverlayHosts')).default
  for (const listener of listeners) listener()
  return ready
}

/** The host of confirmations, mounted once next to the pages. */
export function Overlays() {
  const Shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => Host,
  )
  return Shown && <Shown onReady={arrived} />
}
