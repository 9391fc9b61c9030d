/**
 * Copies text and says whether the clipboard took it. On plain http under another name than localhost there is no
 * navigator.clipboard; there a selection and execCommand do it. `shown`, when given, is the element that shows exactly this
 * text: it is selected, so that after a failure the reader can copy by hand.
 */
export async function copyText(text: string, shown?: HTMLElement | null): Promise<boolean> {
  if (window.isSecureContext && navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      // Refused, by permission or for want of focus: try the other way.
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
  // Inside the open dialog, if there is one: a focus trap would take the focus back from anywhere else.
  const host = (focused instanceof HTMLElement && focused.closest('[role="dialog"]')) || document.body
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.setAttribute('aria-hidden', 'true')
  area.style.cssText = 'position:fixed;top:0;left:0;width:1px;height:1px;opacity:0;'
  host.append(area)
  let taken = false
  // execCommand answers true also when nothing was copied; the event shows that the clipboard was handed the text.
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
