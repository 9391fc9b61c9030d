import { Alert, type AlertProps } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { i18n } from '@/shared/i18n'

type Toast = Pick<AlertProps, 'title' | 'children' | 'color' | 'icon'> & {
  /** Milliseconds until it closes by itself; without, it stays until closed. */
  closesAfter?: number
}

const mostShown = 5

type Shown = (Toast & { id: number })[]

let toasts: Shown = []
const none: Shown = []
let lastId = 0
/** The number of open dialogs. */
let dialogs = 0
const listeners = new Set<() => void>()

function change(next: Shown) {
  toasts = next
  for (const listener of listeners) listener()
}

/** Toasts wait while a dialog is open. */
export function useToastsWait() {
  useEffect(() => {
    dialogs++
    change(toasts)
    return () => {
      dialogs--
      change(toasts)
    }
  }, [])
}

/** Shows a toast. Returns what closes it. */
export function showToast(toast: Toast): () => void {
  const id = ++lastId
  change([...toasts, { ...toast, id }])
  return () => close(id)
}

const close = (id: number) => change(toasts.filter((toast) => toast.id !== id))

export const closeAllToasts = () => change([])

/**
 * The place of the toasts, the newest first. It is part of every page, because a toast may say that a file could not be fetched, and
 * because screen readers announce only what appears in a region that they know.
 */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => (dialogs > 0 ? none : toasts),
  )
    .toReversed()
    .slice(0, mostShown)
  return (
    <div className="panel-toasts" aria-live="polite">
      {shown.map((toast) => (
        <ToastView key={toast.id} {...toast} />
      ))}
    </div>
  )
}

function ToastView({ id, closesAfter, ...toast }: Shown[number]) {
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  const held = hovered || focused
  useEffect(() => {
    if (held || closesAfter === undefined) return
    const timer = setTimeout(close, closesAfter, id)
    return () => clearTimeout(timer)
  }, [held, closesAfter, id])
  return (
    <Alert
      {...toast}
      role="group" // an alert would interrupt
      withCloseButton
      closeButtonLabel={i18n.t('close')}
      onClose={() => close(id)}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    />
  )
}
