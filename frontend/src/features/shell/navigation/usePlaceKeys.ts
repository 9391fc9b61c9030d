import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { pressRowKey, useLetters } from '@/shared/ui'
import { pages } from '../pages'

/** How long after G its letter may come. */
const patienceMs = 1_500
const fields = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]'

/**
 * G then a letter goes to a place, ? shows all keys, and lists have theirs, unless a field or a dialog has the keyboard.
 */
export function usePlaceKeys(enabled: boolean, showKeys: (shown: true) => void) {
  const navigate = useNavigate()
  const [letters] = useLetters()
  useEffect(() => {
    if (!enabled || !letters) return
    let pressedG = Number.NEGATIVE_INFINITY
    const press = (event: KeyboardEvent) => {
      const { key, target, timeStamp } = event
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (target instanceof Element && target.closest(fields)) return
      if (document.querySelector('[role="dialog"]:not([data-side-panel])')) return
      if (key === '?') return showKeys(true)
      const place = timeStamp - pressedG < patienceMs && pages.find((page) => page.key === key.toUpperCase())
      pressedG = !place && key.toUpperCase() === 'G' ? timeStamp : Number.NEGATIVE_INFINITY
      if (!place && !pressRowKey(event)) return
      event.preventDefault()
      if (place) void navigate({ to: place.to })
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [enabled, letters, navigate, showKeys])
}
