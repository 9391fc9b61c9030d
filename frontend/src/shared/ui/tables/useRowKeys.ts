import { type RefObject, useRef } from 'react'
import { useLetterKeys } from '../useLetterKeys'

/** The links of the rows in a list. */
const linksIn = (list: HTMLElement | null) => Array.from(list?.querySelectorAll<HTMLElement>('.panel-row-link') ?? [])

/**
 * J and K go to the next and the previous row of the list with this ref, Enter then opens it as any link. Whatever is open over the
 * list or beside it has these keys for itself, as `Steps`.
 */
export function useRowKeys<List extends HTMLElement>(isOpen: boolean): RefObject<List | null> {
  const list = useRef<List>(null)
  const step = (by: number) => () => {
    if (isOpen || document.querySelector('[role="dialog"]')) return
    const links = linksIn(list.current)
    const at = links.findIndex((link) => link.closest('.panel-row')?.contains(document.activeElement))
    links[at < 0 ? 0 : at + by]?.focus()
  }
  useLetterKeys([
    ['j', step(1)],
    ['k', step(-1)],
  ])
  return list
}
