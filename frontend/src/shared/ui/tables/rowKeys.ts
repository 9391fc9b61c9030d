/**
 * The keys of the lists on a page: J and K go to the next and the previous row, where Enter opens it as any link. X marks the row, and
 * Shift X all from the last marked one to it. Returns whether the key was one of them. What is opened from a list, as `Steps`, has J
 * and K for itself.
 */
export function pressRowKey({ key, shiftKey }: KeyboardEvent): boolean {
  const letter = key.toLowerCase()
  if (letter === 'x') return mark(shiftKey)
  if (shiftKey || (letter !== 'j' && letter !== 'k') || document.querySelector('[data-step]')) return false
  const links = Array.from(document.querySelectorAll<HTMLElement>('main .panel-row-link'))
  const at = links.findIndex((link) => link.closest('.panel-row')?.contains(document.activeElement))
  links[at < 0 ? 0 : at + (letter === 'j' ? 1 : -1)]?.focus()
  return links.length > 0
}

function mark(range: boolean): boolean {
  const box = document.activeElement?.closest('tr')?.querySelector<HTMLInputElement>('.panel-choose input')
  // As a click with Shift does it. The focus stays on the row.
  return box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: range })) ?? false
}
