import type { Hit } from '../queries'

/** More places of a text are not marked. */
const most = 500

/** The places in a box of texts that have a hit's words as the service found them, with any white space between them. */
export function placesOf(box: Element, hit: Hit): Range[] {
  const words = wordsOf(hit)
  return [...box.querySelectorAll('.panel-user-text')].flatMap((text) => placesIn(text, words)).slice(0, most)
}

function wordsOf({ excerpt, ranges }: Hit): RegExp {
  const found = new Set(ranges.map(({ start, length }) => excerpt.slice(start, start + length)))
  const patterns = [...found].map((words) =>
    words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll(' ', '[\\s\\u0085]+'),
  )
  // Not a letter without the accent that follows it.
  return new RegExp(`(?:${patterns.join('|')})(?!\\p{M})`, 'gu')
}

/** Words may run over emphasis, links and line breaks. */
function placesIn(text: Element, words: RegExp): Range[] {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
  const nodes: { node: Text; end: number }[] = []
  let whole = ''
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    whole += node.data
    nodes.push({ node, end: whole.length })
  }
  let at = 0
  /** The place of a unit; each is at or after the one before. */
  const place = (unit: number, isEnd: boolean): [Node, number] => {
    while (at < nodes.length - 1 && (nodes[at]?.end ?? 0) < unit + (isEnd ? 0 : 1)) at++
    const { node, end } = nodes[at] ?? { node: text, end: 0 }
    return [node, unit - end + (node.textContent?.length ?? 0)]
  }
  const out: Range[] = []
  for (const match of whole.matchAll(words)) {
    if (out.length === most) break
    const range = document.createRange()
    range.setStart(...place(match.index, false))
    range.setEnd(...place(match.index + match[0].length, true))
    out.push(range)
  }
  return out
}
