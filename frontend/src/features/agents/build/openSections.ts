import { useState } from 'react'

const key = 'build sections'

/** Which parts of Build are open, as this browser remembers: at first, only the instructions. */
export function useOpenSections() {
  const [open, setOpen] = useState(read)
  const toggle = (id: string, opened: boolean) =>
    setOpen((old) => {
      if (old.includes(id) === opened) return old
      const next = opened ? [...old, id] : old.filter((one) => one !== id)
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // Storage is disabled: the choice lasts until the user leaves the page.
      }
      return next
    })
  return { open, toggle }
}

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '')
    if (Array.isArray(kept)) return kept.filter((id) => typeof id === 'string')
  } catch {
    // Nothing that can be read.
  }
  return ['instructions']
}
