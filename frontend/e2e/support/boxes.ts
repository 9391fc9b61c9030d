import { expect, type Page } from '@playwright/test'

/** Texts that break out of a box that does not hold them: ten thousand marks on one letter, a line without an end, and an override. */
export const unruly = {
  marks: (most: number) => `Z${'\u0301'.repeat(Math.min(most, 10_000) - 1)}`,
  line: (most: number) => 'W'.repeat(most),
  turned: (most: number) => `turned \u05D0\u2069\u202Ecba${' and on'.repeat(20)}`.slice(0, most),
}

/** Expects that the page is no wider than its window, and that every such text stays in its box. */
export async function expectBoxed(page: Page, at: string) {
  const soft = expect.configure({ soft: true })
  soft(await page.evaluate(outOfBox), `${at}: out of its box`).toEqual([])
  soft(await strayPixels(page), `${at}: painted over its neighbors`).toBe(0)
}

/** Runs in the page: the texts that reach over the edge of a box which does not clip or scroll. */
function outOfBox(): string[] {
  const found: string[] = []
  const root = document.documentElement
  if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} px wide`)
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!/\u0301{9}|W{30}|\u202E/.test(node.textContent ?? '')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const { left, right, width } = range.getBoundingClientRect()
    for (let box = node.parentElement; box && width > 0; box = box.parentElement) {
      const { display, overflowX, contain } = getComputedStyle(box)
      if (display === 'inline' || display === 'contents') continue
      const edge = box.getBoundingClientRect()
      if (overflowX !== 'visible' || contain.includes('paint')) {
        if (edge.right > root.clientWidth + 1 && overflowX === 'clip') continue
        break
      }
      if (left >= edge.left - 1 && right <= edge.right + 1) continue
      found.push(`${box.outerHTML.slice(0, 200)}: ${left} to ${right}, in ${edge.left} to ${edge.right}`)
      break
    }
  }
  return found
}

/** How many pixels change outside the boxes of such texts when these are not painted. */
async function strayPixels(page: Page): Promise<number> {
  const shot = async () => (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64')
  const shown = await shot()
  const boxes = await page.evaluate(() => {
    const boxes: { x: number; y: number; width: number; height: number }[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!/\u0301{9}/.test(node.textContent ?? '')) continue
      let box = node.parentElement as HTMLElement
      box.style.setProperty('color', 'transparent', 'important')
      while (getComputedStyle(box).display === 'inline') box = box.parentElement as HTMLElement
      const { x, y, width, height } = box.getBoundingClientRect()
      // A box that begins within a pixel has it.
      const [left, top] = [Math.floor(x) - 2, Math.floor(y) - 2]
      boxes.push({ x: left, y: top, width: x + width + 2 - left, height: y + height + 2 - top })
    }
    return boxes
  })
  if (boxes.length === 0) return 0
  const hidden = await shot()
  const blank = await page.context().newPage()
  const stray = await blank.evaluate(
    async ({ shots, boxes }) => {
      const [one, other] = await Promise.all(
        shots.map(async (png) => {
          const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
          canvas?.drawImage(bitmap, 0, 0)
          return canvas?.getImageData(0, 0, bitmap.width, bitmap.height)
        }),
      )
      let count = 0
      for (let at = 0; one && other && at < one.data.length; at += 4) {
        if (one.data[at] === other.data[at] && one.data[at + 1] === other.data[at + 1]) continue
        const x = (at / 4) % one.width
        const y = Math.floor(at / 4 / one.width)
        if (!boxes.some((box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height)) count++
      }
      return count
    },
    { shots: [shown, hidden], boxes },
  )
  await blank.close()
  return stray
}
