import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** What is open on top has the keys for itself: dialogs, menus and lists of choices. */
const onTop = '[role="dialog"], [aria-haspopup][aria-expanded="true"]'
const fields = 'input, textarea, select, [contenteditable]'

/**
 * Whether Try takes the whole window, as the page's address has it. F opens that view, unless a field has the focus, and Escape
 * leaves it.
 */
export function useView() {
  const whole = useSearch({ strict: false, select: ({ try: view }) => view !== undefined })
  const navigate = useNavigate()
  const show = (view: 'window' | undefined) =>
    void navigate({ to: '.', search: (old) => ({ ...old, try: view }), resetScroll: false })
  useKeys({ f: () => show(whole ? undefined : 'window'), Escape: whole ? () => show(undefined) : undefined })
  return { whole, show }
}

/** Listens before anything else does, and so sees what is open before the same key closes it. */
function useKeys(keys: { f?: () => void; Escape?: () => void }) {
  const now = useRef(keys)
  useEffect(() => {
    now.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target, isComposing } = event
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isComposing) return
      if (document.querySelector(onTop)) return
      if (key === 'Escape') now.current.Escape?.()
      if (key === 'f' && !(target instanceof Element && target.closest(fields))) now.current.f?.()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}
