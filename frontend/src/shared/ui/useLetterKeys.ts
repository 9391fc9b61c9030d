import { type HotkeyItem, useHotkeys } from '@mantine/hooks'
import { useSyncExternalStore } from 'react'

const kept = 'panel-letters'
const changed = new Set<() => void>()

/** Keys that are single letters, unless the reader has switched them off. Fields keep their letters. */
export function useLetterKeys(keys: HotkeyItem[]) {
  const [on] = useLetters()
  useHotkeys(on ? keys : [])
}

/** Whether single letters are keys, and the switch, which this browser remembers. */
export function useLetters() {
  return [useSyncExternalStore(subscribe, lettersAreOn), switchLetters] as const
}

function subscribe(tell: () => void) {
  changed.add(tell)
  return () => changed.delete(tell)
}

function lettersAreOn(): boolean {
  try {
    return localStorage.getItem(kept) !== 'off'
  } catch {
    return true // Storage is disabled.
  }
}

function switchLetters(on: boolean) {
  try {
    if (on) localStorage.removeItem(kept)
    else localStorage.setItem(kept, 'off')
  } catch {
    // Storage is disabled.
  }
  for (const tell of changed) tell()
}
