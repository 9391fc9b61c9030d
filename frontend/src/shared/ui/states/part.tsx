import { type ComponentType, lazy, useEffect } from 'react'
import { notifyError } from '../dialogs/notify'
import { ErrorState } from './states'

/**
 * A lazy part of a page. If its files cannot be fetched, it says so in its place, and the page around it stays; a dialog says so in a
 * toast, and closes.
 */
export const part = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() =>
    load().catch((error: unknown) => ({
      default: ({ onClose }: Props & { onClose?: () => void }) =>
        onClose ? <MissingDialog error={error} onClose={onClose} /> : <ErrorState error={error} reload />,
    })),
  )

function MissingDialog({ error, onClose }: { error: unknown; onClose: () => void }) {
  useEffect(() => {
    notifyError(error)
    onClose()
  }, [error, onClose])
  return null
}
