import type { ConfirmOptions } from './ConfirmDialog'
import { notifyError } from './notify'
import { needOverlays } from './overlays'

/** Asks for confirmation of an action that cannot be undone. Cancel has the focus. */
export async function confirm(options: ConfirmOptions) {
  const asked = openerOf(document.activeElement)
  try {
    const [{ openConfirmation }] = await Promise.all([import('./ConfirmDialog'), needOverlays()])
    openConfirmation(options, asked)
  } catch (error) {
    notifyError(error)
  }
}

/** What opens a dialog. An item of a menu is gone by the time the focus returns; the button of its menu is still there. */
function openerOf(element: Element | null) {
  const menu = element?.closest('[role="menu"]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
}
