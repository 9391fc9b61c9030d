import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** What is open on top has the keys for itself: dialogs, menus and lists of choices. */
const onTop = '[role="dialog"], [aria-haspopup][aria-expanded="true"]'
const fields = 'input, textarea, select, [contenteditable]'

type Search = {
  try?: 'window' | 'compare'
  version?: number
  session?: string
  model?: string
  otherVersion?: number
  otherModel?: string
  otherSession?: string
}

/** The address without what only a comparison has: its left side's conversation stays. */
export const alone = <Old extends Search>(old: Old, view?: 'window') => ({
  ...old,
  try: view,
  model: undefined,
  otherVersion: undefined,
  otherModel: undefined,
  otherSession: undefined,
})

/**
 * Whether Try takes the whole window, as the page's address has it. F opens that view while the focus is in Try, but not in a
 * field, and Escape leaves it, unless what is under way would be stopped.
 */
export function useView(stops = false) {
  const view = useSearch({ strict: false, select: (search) => search.try })
  const navigate = useNavigate()
  const whole = view !== undefined
  const show = (next: 'window' | undefined) =>
    void navigate({ to: '.', search: (old) => alone(old, next), resetScroll: false })
  /** Compares with the draft: the version that has answered so far, or the published one. */
  const compare = (published: number | undefined) =>
    void navigate({
      to: '.',
      search: (old) => ({ ...old, try: 'compare', version: old.version ?? published, session: undefined }),
      resetScroll: false,
    })
  const leave = () => {
    if (!stops) show(undefined)
  }
  useKeys({ f: whole ? leave : () => show('window'), Escape: whole ? leave : undefined, whole })
  return { whole, show, compare }
}

/** Listens before anything else does, and so sees what is open before the same key closes it. */
function useKeys(keys: { f: () => void; Escape?: () => void; whole: boolean }) {
  const now = useRef(keys)
  useEffect(() => {
    now.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target, isComposing } = event
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isComposing) return
      if ((key !== 'Escape' && key !== 'f') || document.querySelector(onTop)) return
      if (key === 'Escape') return now.current.Escape?.()
      if (!(target instanceof Element) || target.closest(fields)) return
      if (now.current.whole || target.closest('[data-pane="try"]')) now.current.f()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}
