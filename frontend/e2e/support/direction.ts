import { expect, type Page } from '@playwright/test'

/** A name that turns what follows it, even out of an isolated inline element: it ends the isolation first. */
export const turningName = (word: string) => `${word} \u05D0\u2069\u202Ecba`

/** Expects that none of these names turns the text after it. */
export async function expectUnturned(page: Page) {
  await expect
    .configure({ soft: true, timeout: 5_000 })
    .poll(() => page.evaluate(turnedTexts), { message: page.url() })
    .toEqual([])
}

/** Runs in the page: what stands behind an override without being separated from it, by a box of its own or by an isolation in the text. */
function turnedTexts(): string[] {
  const found: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.textContent?.includes('\u202Ecba')) continue
    let box = node.parentElement as HTMLElement
    if (box.closest('script, style, textarea, p[dir=auto]')) continue // a paragraph of a reply is one author's
    while (getComputedStyle(box).display === 'inline') box = box.parentElement as HTMLElement
    const inline = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
    let after = ''
    for (let each = inline.nextNode(); each; each = inline.nextNode()) {
      if (node.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_PRECEDING) continue
      let own = each.parentElement as HTMLElement
      while (getComputedStyle(own).display === 'inline') own = own.parentElement as HTMLElement
      if (own === box) after += each.textContent
    }
    for (const rest of after.split('\u202Ecba').slice(1))
      if (rest.trim() !== '' && !rest.startsWith('\u2069')) found.push(`${box.outerHTML.slice(0, 300)}: ${rest}`)
  }
  return found
}
