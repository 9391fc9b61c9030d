import { useSyncExternalStore } from 'react'

let opening: string | undefined
const listeners = new Set<() => void>()

/** Says which path a navigation is about to open; undefined once it is open, or is not opened. */
export function setOpening(path: string | undefined) {
  opening = path
  for (const listener of listeners) listener()
}

/** The path that a navigation is about to open. */
export const useOpening = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => opening,
  )
