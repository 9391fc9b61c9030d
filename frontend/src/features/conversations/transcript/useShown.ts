import { type RefObject, useEffect, useState } from 'react'
import type { Hit } from '../queries'
import { placesOf } from './places'
import { boxOf } from './scrolling'
import classes from './Transcript.module.css'

/** What is shown: a hit, otherwise a turn, otherwise the newest turn. */
export type Shown = { hits: Hit[]; hit?: Hit; turn?: number; ready: boolean }

/**
 * Marks the hits in a transcript, and scrolls one hit, one turn or the newest turn into view. Texts may be rendered late or again, when
 * they are parsed, so the target is kept in view until the reader acts. Returns false if the hit is not in the rendered text.
 */
export function useShown(list: RefObject<HTMLElement | null>, { hits, hit, turn, ready }: Shown): boolean {
  const [seen, setSeen] = useState(true)
  useEffect(() => {
    const root = list.current
    if (!ready || !root) return
    let following = true
    const apply = () => {
      const places = new Map(hits.map((one) => [one, placesIn(root, one)]))
      const current = (hit && places.get(hit)) ?? []
      highlight('hit', [...places.values()].flat())
      highlight('current-hit', current)
      setSeen(!hit || current.length > 0)
      const item = turn === undefined ? root.lastElementChild : root.querySelector(`[data-turn="${turn}"]`)
      if (!following) return
      if (current[0]) showPlace(current[0])
      else item?.scrollIntoView({ block: turn === undefined ? 'end' : 'start' })
    }
    apply()
    const observer = new MutationObserver(apply)
    observer.observe(root, { childList: true, subtree: true })
    const stop = () => {
      following = false
    }
    const acts = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
    for (const act of acts) window.addEventListener(act, stop, { passive: true })
    return () => {
      observer.disconnect()
      for (const act of acts) window.removeEventListener(act, stop)
      highlight('hit', [])
      highlight('current-hit', [])
    }
  }, [list, hits, hit, turn, ready])
  return seen
}

function placesIn(root: Element, hit: Hit): Range[] {
  const side = hit.inReply ? classes.reply : classes.message
  const box = root.querySelector(`[data-turn="${hit.number}"] .${side}`)
  return box ? placesOf(box, hit) : []
}

/** Marks ranges without changing the DOM. Browsers without the Highlight API still show the turn. */
function highlight(name: string, places: Range[]) {
  if (typeof Highlight === 'undefined') return
  const marks = new Highlight(...places)
  marks.priority = name === 'hit' ? 0 : 1
  CSS.highlights.set(name, marks)
}

/** Scrolls a place to the middle of the conversation, and of any box that scrolls sideways. */
function showPlace(place: Range) {
  const { startContainer } = place
  if (!startContainer.parentElement) return
  startContainer.parentElement.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  for (let box: HTMLElement | null = startContainer.parentElement; box; box = box.parentElement) {
    if (box.scrollWidth <= box.clientWidth || getComputedStyle(box).overflowX !== 'auto') continue
    box.scrollLeft += place.getBoundingClientRect().left - box.getBoundingClientRect().left - box.clientWidth / 2
  }
  const scrolls = boxOf(startContainer.parentElement)
  const box = scrolls.getBoundingClientRect()
  const { top, height } = place.getBoundingClientRect()
  scrolls.scrollTop += top + height / 2 - box.top - box.height / 2
}
