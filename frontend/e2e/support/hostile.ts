import { expect, type Page } from '@playwright/test'

/** Names of at most 100 characters that would do harm where they are not taken for what they are: text. */
export const hostileNames = {
  markup: '</script><script>hit=1</script><img src=x onerror=hit=1>[a](javascript:hit=1){{name}}$t(agents:new)',
  bidi: 'before \u2069\u202Eeslaf\u2069\u2067\u05D0\u202D\u202B back \u2066\u202Ednes',
  marks: `Z${'\u0301'.repeat(99)}`,
  long: 'W'.repeat(100),
} as const

export type Kind = keyof typeof hostileNames

/** Messages in the same spirit. The sandbox quotes the first 200 characters of each in its reply, which is read as Markdown. */
export const hostileMessages: Record<Kind, string[]> = {
  markup: [
    '<script>hit=1</script> <img src=x onerror="hit=1"> [click](javascript:hit=1) ![pixel](http://other.test/p.png)',
    '<http://auto.test> http://plain.test www.plain.test <svg onload=hit=1> <iframe src="http://frame.test"></iframe>',
    '[a][r] <details open ontoggle=hit=1>x</details> <javascript:hit=1> ![](data:text/html,x)\n\n[r]: javascript:hit=1',
    '<style>*{display:none}</style> <form action="http://form.test"><button>x</button></form> [](vbscript:hit=1)',
  ],
  bidi: ['abc \u202Edesrever \u2069\u202E\u2067 end', '\u05D0\u05D1\u05D2 \u202D123\u202C abc'],
  marks: [`Z${'\u0301'.repeat(10_000)}`, `Z${'\u0301'.repeat(10_000)} [[sandbox history]]`],
  long: ['W'.repeat(32_768), `| ${'a|'.repeat(300)}\n|${'-|'.repeat(301)}\n| b |`, '[[sandbox words=40000]]'],
}

/** Texts that may be laid out as they like: everything around them has to stand as usual. */
export async function expectTame(page: Page, strangers: readonly string[]) {
  await expect
    .configure({ soft: true, timeout: 5_000 })
    .poll(() => page.evaluate(faultsOfPage, [...strangers]), { message: page.url() })
    .toEqual([])
}

/** Runs in the page: what is wrong with it. */
function faultsOfPage(strangers: string[]): string[] {
  const faults: string[] = []
  if ('hit' in window) faults.push('something ran')
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth} px wide in ${clientWidth} px`)
  const forbidden =
    'img, iframe, object, embed, form[action], main script, [onerror], [onload], [ontoggle], main style:not([data-mantine-styles])'
  for (const element of document.querySelectorAll(forbidden))
    faults.push(`an element: ${element.outerHTML.slice(0, 200)}`)
  for (const link of document.querySelectorAll('a[href]')) {
    if (!/^(https?|mailto):$/.test(new URL((link as HTMLAnchorElement).href).protocol))
      faults.push(`a link: ${link.outerHTML}`)
  }
  const controls = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/
  const bare = strangers.map((text) => text.replace(new RegExp(controls, 'g'), ''))
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    // A reply quotes what it likes; only the panel's own words are looked at.
    if (node.data.length > 2_000 || /of our conversation|"instructions"/.test(node.data)) continue
    const places = [...node.data].flatMap((letter, at) => (controls.test(letter) ? [] : [at]))
    const text = places.map((at) => [...node.data][at]).join('')
    const own = places.map(() => true)
    for (const name of bare.filter(Boolean)) {
      for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) own.fill(false, at, at + name.length)
    }
    const lefts = places.map((at, index) =>
      own[index] && /[a-z]/i.test(text[index] ?? '') ? boxOf(node, at) : undefined,
    )
    for (let index = 1; index < lefts.length; index++) {
      const [before, after] = [lefts[index - 1], lefts[index]]
      if (before && after && Math.abs(before.top - after.top) < 3 && after.left < before.left) {
        faults.push(`turned round: ${JSON.stringify(text.slice(0, 150))}`)
        break
      }
    }
  }
  return faults

  function boxOf(node: Text, at: number) {
    const range = document.createRange()
    range.setStart(node, at)
    range.setEnd(node, at + 1)
    const box = range.getBoundingClientRect()
    return box.width > 0 ? box : undefined
  }
}

/**
 * Where marks that pile up are drawn outside the box of their own text: what is seen with that text and without it is compared,
 * point by point, everywhere else. Returns the boxes that are left, for a message.
 */
export async function paintedOutside(page: Page): Promise<string[]> {
  const shoot = async () => (await page.screenshot({ animations: 'disabled' })).toString('base64')
  for (;;) {
    const whole = await shoot()
    const boxes = await page.evaluate(hideMarks)
    const without = await shoot()
    await page.evaluate(showMarks)
    if ((await shoot()) !== whole) continue // something else has changed meanwhile: a chart, or a time
    const canvas = await page.context().newPage()
    try {
      return await canvas.evaluate(differences, { pictures: [whole, without], boxes })
    } finally {
      await canvas.close()
    }
  }
}

function hideMarks() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const boxes: { left: number; top: number; right: number; bottom: number; what: string }[] = []
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (!/\u0301{20}/.test(node.data)) continue
    node.parentElement?.setAttribute('data-hidden-by-test', node.parentElement.style.visibility)
    node.parentElement?.style.setProperty('visibility', 'hidden')
    let box = node.parentElement?.closest<HTMLElement>('.panel-user-text') ?? node.parentElement
    while (box && getComputedStyle(box).display.startsWith('inline')) box = box.parentElement
    if (!box) continue
    const { left, top, right, bottom } = box.getBoundingClientRect()
    boxes.push({ left, top, right, bottom, what: `${box.tagName} ${box.className}` })
  }
  return boxes
}

function showMarks() {
  for (const element of document.querySelectorAll<HTMLElement>('[data-hidden-by-test]')) {
    element.style.visibility = element.getAttribute('data-hidden-by-test') ?? ''
    element.removeAttribute('data-hidden-by-test')
  }
}

type Box = { left: number; top: number; right: number; bottom: number; what: string }

async function differences({ pictures, boxes }: { pictures: string[]; boxes: Box[] }): Promise<string[]> {
  const slack = 4
  const [first, second] = await Promise.all(
    pictures.map(async (picture) => {
      const image = new Image()
      image.src = `data:image/png;base64,${picture}`
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
      const context = canvas.getContext('2d')
      context?.drawImage(image, 0, 0)
      return { width: image.width, data: context?.getImageData(0, 0, image.width, image.height).data ?? [] }
    }),
  )
  if (!first || !second) return ['no pictures']
  const outside = new Map<string, number>()
  for (let at = 0; at < first.data.length; at += 4) {
    const same = [0, 1, 2].every((part) => Math.abs((first.data[at + part] ?? 0) - (second.data[at + part] ?? 0)) < 8)
    if (same) continue
    const [x, y] = [(at / 4) % first.width, Math.floor(at / 4 / first.width)]
    const inside = boxes.some(
      (box) => x >= box.left - slack && x <= box.right + slack && y >= box.top - slack && y <= box.bottom + slack,
    )
    if (inside) continue
    const nearest = boxes.toSorted(
      (a, b) => Math.abs((a.top + a.bottom) / 2 - y) - Math.abs((b.top + b.bottom) / 2 - y),
    )[0]
    outside.set(nearest?.what ?? '', (outside.get(nearest?.what ?? '') ?? 0) + 1)
  }
  return [...outside].map(([what, points]) => `${points} points outside ${what}`)
}
