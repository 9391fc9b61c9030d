/**
 * Copies text and reports whether the clipboard has it. On plain http, except on localhost, there is no navigator.clipboard;
 * a selection and execCommand are used instead. `shown` is an element that shows exactly this text: it is selected, so that
 * the reader can copy by hand after a failure.
 */
export async function copyText(text: string, shown?: HTMLElement | null): Promise<boolean> {
  if (window.isSecureContext && navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      // No permission or no focus: try the other way.
    }
  }
  const copied = copyBySelection(text)
  if (!copied && shown) select(shown)
  return copied
}

/** Selects an element's text for the reader. */
export function select(element: HTMLElement) {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    element.focus()
    element.select()
    return
  }
  const range = document.createRange()
  range.selectNodeContents(element)
  const selection = window.getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  // Inside the open dialog, if any, because of its focus trap.
  const host = (focused instanceof HTMLElement && focused.closest('[role="dialog"]')) || document.body
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.setAttribute('aria-hidden', 'true')
  area.style.cssText = 'position:fixed;top:0;left:0;width:1px;height:1px;opacity:0;'
  host.append(area)
  let taken = false
  // execCommand returns true even if nothing was copied; the event shows that the clipboard got the text.
  const take = (event: ClipboardEvent) => {
    if (!event.clipboardData) return
    event.clipboardData.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
    taken = true
  }
  document.addEventListener('copy', take, true)
  try {
    area.focus()
    area.select()
    return document.execCommand('copy') && taken
  } catch {
    return false
  } finally {
    document.removeEventListener('copy', take, true)
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
