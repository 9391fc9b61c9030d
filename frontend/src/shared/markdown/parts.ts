/** More than this in one piece, in UTF-16 units, is not parsed: hostile Markdown takes quadratic time. */
const longest = 10_000

/** Nobody writes this many levels of quotes or lists in one line; parsing them would exhaust the stack. */
const absurd = /^[ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*){50}/m

/** The line that opens or closes code: its indent, and its fence. */
const fenceLine = /^([ \t]*)(`{3,}(?=[^`\n]*$)|~{3,})/m

/** A heading or list item, which needs no blank line before it. */
const begins = /^(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t]/

/**
 * Markdown in parts that are parsed one by one, split only between its outermost blocks and list items. Code between fences may be of any
 * length: it takes linear time. Undefined if the text is not for the parser, and is shown as it is.
 */
export function partsOf(text: string): string[] | undefined {
  if (absurd.test(text)) return undefined
  if (text.length <= longest) return [text]
  const parts: string[] = []
  for (const block of blocksOf(text)) {
    const joined = (parts.at(-1) ?? '') + block
    if (parts.length > 0 && joined.length <= longest) parts[parts.length - 1] = joined
    else parts.push(block)
  }
  return parts.every((part) => part.length <= longest || fenceLine.exec(part)?.index === 0) ? parts : undefined
}

function blocksOf(text: string): string[] {
  const blocks: string[] = ['']
  const add = (line: string) => {
    blocks[blocks.length - 1] += line
  }
  let open: { indent: string; fence: string } | undefined
  let afterBlank = false
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const [, indent = '', fence] = fenceLine.exec(line.trimEnd()) ?? []
    if (open) {
      add(line)
      if (!fence?.startsWith(open.fence) || line.trim() !== fence) continue
      if (open.indent === '') blocks.push('')
      open = undefined
      continue
    }
    // An indented line may belong to the list item above.
    if (fence ? indent === '' : begins.test(line) || (afterBlank && /^\S/.test(line))) blocks.push('')
    add(line)
    if (fence) open = { indent, fence }
    afterBlank = line.trim() === ''
  }
  return blocks.filter(Boolean)
}
