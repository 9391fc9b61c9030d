/** A part of a text, in UTF-16 units. */
export type Range = { start: number; end: number }

/** A text as the service compares it, and where each unit of it comes from. */
function fold(text: string) {
  let key = ''
  const from: number[] = []
  const to: number[] = []
  for (const { 0: segment, index } of text.matchAll(/[\u1100-\u11FF]+|\P{M}\p{M}*|\p{M}+/gsu)) {
    const seen = segment.replace(/[\p{Cf}\p{Variation_Selector}]/gu, '').normalize('NFC')
    // By way of capitals, which have no final forms and no ligatures.
    const folded = /^\s/.test(seen) ? ' ' : seen.toUpperCase().toLowerCase().replace('i\u0307', 'i').normalize('NFC')
    if (folded === ' ' && key.endsWith(' ')) continue
    key += folded
    for (let unit = 0; unit < folded.length; unit++) {
      from.push(index)
      to.push(index + segment.length)
    }
  }
  return { key, from, to }
}

/** Where a text has what was searched for, as the service finds it: case, the form of accents and the kind of white space do not matter. */
export function find(text: string, needle: string): Range[] {
  const sought = fold(needle).key.trim()
  if (sought === '') return []
  const { key, from, to } = fold(text)
  const ranges: Range[] = []
  for (let at = key.indexOf(sought); at >= 0; at = key.indexOf(sought, at + sought.length)) {
    const range = { start: from[at] ?? 0, end: to[at + sought.length - 1] ?? 0 }
    if (range.start >= (ranges.at(-1)?.end ?? 0)) ranges.push(range)
  }
  return ranges
}

/** A text in pieces, one after the other; those of the ranges are hits. */
export function pieces(text: string, ranges: Range[]): { text: string; hit: boolean }[] {
  const out: { text: string; hit: boolean }[] = []
  let end = 0
  for (const range of ranges) {
    out.push(
      { text: text.slice(end, range.start), hit: false },
      { text: text.slice(range.start, range.end), hit: true },
    )
    end = range.end
  }
  out.push({ text: text.slice(end), hit: false })
  return out.filter((piece) => piece.text !== '')
}
