import type { ReactNode } from 'react'
import { needOverlays } from './overlays'

export type ConfirmOptions = {
  /** The question, with the thing's name: "Remove export “Shop”?" */
  title: string
  /** What will happen. */
  body: ReactNode
  /** The verb: "Remove export". */
  confirmLabel: string
  /** Loss is red. */
  danger?: boolean
  /** Runs at the click; the dialog stays open while it does, and shows its error. */
  onConfirm: () => Promise<unknown> | unknown
}

/** Asks before something that cannot be taken back. Cancel has the focus. */
export async function confirm(options: ConfirmOptions) {
  const [{ openConfirmation }] = await Promise.all([import('./ConfirmDialog'), needOverlays()])
  openConfirmation(options)
}
