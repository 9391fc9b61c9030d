import { useSyncExternalStore } from 'react'

/** What the palette's field holds, and whether Enter was pressed on it. */
type Typing = { text: string; entered: boolean }

/** Undefined while the palette is closed. */
let typing: Typing | undefined
let field: HTMLInputElement | null = null
let shells = 0
const changed = new Set<() => void>()

function set(next: Typing | undefined) {
  if (next === typing) return
  typing = next
  for (const tell of changed) tell()
}

export const palette = {
  open: () => set(typing ?? { text: '', entered: false }),
  close: () => set(undefined),
  type: (text: string) => set({ text, entered: false }),
}

export const useTyping = () => useSyncExternalStore(subscribe, () => typing)

function subscribe(tell: () => void) {
  changed.add(tell)
  return () => void changed.delete(tell)
}

/** Counts a mounted shell: on pages without one, Ctrl K is the browser's. */
export function countShell() {
  shells++
  return () => {
    shells--
    if (shells === 0) palette.close()
  }
}

/** The ref of the field, which takes the focus after what was typed before it was there. */
export function holdField(input: HTMLInputElement | null) {
  field = input
  input?.focus()
  input?.setSelectionRange(input.value.length, input.value.length)
}

// Added before the first page is rendered: nothing typed from Ctrl K on is lost. In the capture
// phase, so that shortcuts and dialogs below the palette do not see its keys.
addEventListener('keydown', onKeyDown, { capture: true })

function onKeyDown(event: KeyboardEvent) {
  const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event
  if (shells === 0 && document.querySelector('main')) return palette.close()
  const command = ctrlKey || metaKey
  const opens = command && !altKey && !shiftKey && key.toLowerCase() === 'k'
  if (opens) palette.open()
  else if (!typing || command || altKey || isComposing) return
  else if (key === 'Escape') palette.close()
  else if (key === 'Enter') set({ ...typing, entered: true })
  else if (key === 'Tab') field?.focus()
  else if (field) {
    if (document.activeElement === field || key.length > 1) return
    field.focus() // the letter follows
    return event.stopImmediatePropagation()
  } else if (key === 'Backspace') palette.type(typing.text.slice(0, -1))
  else if (key.length === 1) palette.type(typing.text + key)
  else return
  event.preventDefault()
  event.stopImmediatePropagation()
}
