import { type RefObject, useEffect } from 'react'

/** Keeps in --panes-top how far below the window's top the panes begin, so that Try ends with the window. */
export function useTop(box: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const measure = () =>
      box.current?.style.setProperty('--panes-top', `${Math.round(box.current.getBoundingClientRect().top)}px`)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    window.addEventListener('scroll', measure, { passive: true })
    window.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', measure)
      window.removeEventListener('resize', measure)
    }
  }, [box])
}
