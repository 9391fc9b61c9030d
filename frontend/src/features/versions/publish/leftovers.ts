/** Text that was probably meant to be replaced, with its line number and its place in the text in UTF-16 units. */
export type Leftover = { line: number; text: string; place: number }

const brackets = /\([^()\n]+\)/g
const others = [
  /\b(?:TODO|TBD|FIXME)\b/g,
  // Not the text of a Markdown link.
  /\[(?:your|insert|add|enter|company|name)\b[^[\]\n]*\](?!\()/gi,
  /<(?:your|insert)\b[^<>\n]*>/gi,
  /lorem ipsum/gi,
  /\bx{3,}\b/gi,
  // Not {{name}}, which is a variable.
  /\{\{(?=\s|\w+\s)\s*[A-Za-z_][A-Za-z0-9_]*\s*\}\}/g,
]

/** Finds leftover placeholders in a text, such as "(Describe it here)", "[your company]" or "TODO", in order. */
export function leftovers(text: string): Leftover[] {
  let start = 0
  return text.split('\n').flatMap((line, at) => {
    const lineStart = start
    start += line.length + 1
    const asides = [...line.matchAll(brackets)].filter(([aside]) => /\bhere\b/i.test(aside))
    const found = [...asides, ...others.flatMap((pattern) => [...line.matchAll(pattern)])]
    return found
      .sort((a, b) => a.index - b.index)
      .map(({ 0: match, index }) => ({ line: at + 1, text: match, place: lineStart + index }))
  })
}
