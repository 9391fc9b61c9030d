import type { ConfirmOptions } from './ConfirmDialog'
import { notifyError } from './notify'
import { needOverlays } from './overlays'

/** Asks for confirmation of an action that cannot be undone. Cancel has the focus. */
export async function confirm(options: ConfirmOptions) {
  try {
    const [{ openConfirmation }] = await Promise.all([import('./ConfirmDialog'), needOverlays()])
    openConfirmation(options)
  } catch (error) {
    notifyError(error)
  }
}
