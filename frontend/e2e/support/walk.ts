import type { Page } from '@playwright/test'
import { looks } from './keyboard'

/** More steps than any page has. */
const mostSteps = 400

/**
 * Tabs through a page or, if there is one, through its dialog, until the focus is back at the start, and returns what is wrong on the way:
 * what the keys do not reach, where the focus cannot be seen, and where it jumps back up.
 */
export async function walk(page: Page): Promise<string[]> {
  const found = new Set<string>(await page.evaluate(begin))
  const unseen = new Set<string>()
  const passed: Stop[] = []
  for (let step = 0; step < mostSteps; step++) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(here)
    if (stop?.inParts && stop.at === passed.at(-1)?.at) continue
    if (!stop || passed.some(({ at }) => at === stop.at)) {
      if (stop && stop.at === passed.at(-1)?.at && passed.length > 1) found.add(`${stop.name}: Tab does not leave it`)
      break
    }
    const { focusVisible, differs, uncovered } = await seen(page)
    if (!focusVisible || !differs) unseen.add(`${stop.name}: the focus cannot be seen`)
    if (!uncovered || !stop.inWindow) found.add(`${stop.name}: it has the focus out of sight`)
    const before = passed.at(-1)
    if (before && isBackUp(before, stop)) found.add(`${stop.name}: comes after ${before.name}, and stands above it`)
    passed.push(stop)
  }
  if (passed.length === 0) found.add('Tab reaches nothing')
  // What is alone always has the focus, as the palette's field has.
  if (passed.length > 1) for (const fault of unseen) found.add(fault)
  for (const name of await page.evaluate(missed)) found.add(`${name}: Tab does not reach it`)
  return [...found]
}

/** How the focused element looks, once what changes with the focus has changed. */
async function seen(page: Page) {
  let now = await page.evaluate(looks)
  for (let tries = 0; tries < 5 && !(now.focusVisible && now.differs && now.uncovered); tries++) {
    await page.evaluate(() => new Promise(requestAnimationFrame))
    now = await page.evaluate(looks)
  }
  return now
}

type Stop = {
  at: number
  name: string
  inWindow: boolean
  /** Each part of a date is a stop. */
  inParts: boolean
  /** Its place in the box that scrolls it, unless it keeps one in the window. */
  place?: { left: number; right: number; top: number; bottom: number; box: number }
}

const isBackUp = ({ place: a }: Stop, { place: b }: Stop) =>
  a !== undefined && b?.box === a.box && b.bottom <= a.top && b.left < a.right && a.left < b.right

type Walk = { reached: Element[]; boxes: Element[]; wanted: () => Element[]; nameOf: (element: Element) => string }
declare const walkOfPage: Walk

/** Runs in the page: puts the focus before everything, and tells what has a hand for the pointer and nothing for the keys. */
function begin(): string[] {
  const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]'
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert], [aria-hidden=true]')
  const nameOf = (element: Element) => {
    const { innerText = '' } = element as HTMLElement
    const name = element.getAttribute('aria-label') ?? (innerText || element.getAttribute('name') || element.id)
    return `${element.getAttribute('role') ?? element.localName} “${name.trim().slice(0, 60)}”`
  }
  const dialog = [...document.querySelectorAll('[role=dialog][aria-modal=true], [role=alertdialog]')]
    .filter(isShown)
    .at(-1)
  const scope = dialog ?? document.body
  const wanted = () =>
    [...scope.querySelectorAll<HTMLElement>(focusable)].filter((element) => {
      if (element.tabIndex < 0 || element.matches(':disabled') || !isShown(element)) return false
      // Of radio buttons that belong together, one is a stop.
      if (!(element instanceof HTMLInputElement) || element.type !== 'radio' || element.checked) return true
      const group = [...scope.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(
        ({ name }) => name === element.name,
      )
      return !group.some(({ checked }) => checked) && group[0] === element
    })
  Object.assign(window, { walkOfPage: { reached: [], boxes: [], wanted, nameOf } satisfies Walk })
  if (!dialog) {
    const start = document.createElement('span')
    start.tabIndex = -1
    document.body.prepend(start)
    start.focus({ preventScroll: true })
    start.remove()
  }
  const withHand = (element: Element | null) => element !== null && getComputedStyle(element).cursor === 'pointer'
  return [...scope.querySelectorAll('*')]
    .filter((element) => withHand(element) && !withHand(element.parentElement) && isShown(element))
    .filter((element) => !element.closest(`${focusable}, label`) && !element.querySelector(focusable))
    .map((element) => `${nameOf(element)}: only a pointer can use it`)
}

/** Runs in the page: what has the focus. Nothing when the focus has left the page. */
function here(): Stop | undefined {
  const { reached, boxes, nameOf } = walkOfPage
  const element = document.activeElement
  if (!element || element === document.body) return undefined
  if (!reached.includes(element)) reached.push(element)
  const { left, right, top, bottom, width, height } = element.getBoundingClientRect()
  let fixed = false
  let scroller: Element = document.documentElement
  for (let one: Element | null = element; one; one = one.parentElement) {
    const { position, overflowX, overflowY } = getComputedStyle(one)
    fixed ||= ['fixed', 'sticky', 'absolute'].includes(position)
    const scrolls = one !== element && /auto|scroll/.test(overflowX + overflowY)
    if (scrolls && scroller === document.documentElement) scroller = one
  }
  if (!boxes.includes(scroller)) boxes.push(scroller)
  const frame = scroller.getBoundingClientRect()
  const inside = scroller !== document.documentElement
  const x = (inside ? scroller.scrollLeft : 0) - frame.left
  const y = (inside ? scroller.scrollTop : 0) - frame.top
  const moved = {
    left: left + x,
    right: right + x,
    top: top + y,
    bottom: bottom + y,
    box: boxes.indexOf(scroller),
  }
  return {
    at: reached.indexOf(element),
    name: nameOf(element),
    inParts: element.matches('input[type=date], input[type=datetime-local]'),
    // What is made for readers' ears may be a dot, and what is higher than the window begins in it.
    inWindow: width < 2 || height < 2 || (bottom > 0 && top < innerHeight && right > 0 && left < innerWidth),
    place: fixed ? undefined : moved,
  }
}

/** Runs in the page: what the keys have not reached. */
function missed(): string[] {
  const { reached, wanted, nameOf } = walkOfPage
  const sameGroup = (a: Element, b: Element) =>
    a instanceof HTMLInputElement && b instanceof HTMLInputElement && a.type === 'radio' && a.name === b.name
  return wanted()
    .filter((element) => !reached.some((one) => one === element || sameGroup(one, element)))
    .map(nameOf)
}
