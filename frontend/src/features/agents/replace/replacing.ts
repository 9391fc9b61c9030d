/** The longest text that is looked for. */
export const maxFind = 500
/** The longest search of the list of agents. The exact match is made here. */
const maxSearch = 100

/** What is replaced, literally, by what. */
export type Replacement = { find: string; replaceWith: string; matchCase: boolean }

/** The search that finds every agent with the text in its instructions, and others. */
export const searchFor = (find: string) => [...find.normalize('NFC')].slice(0, maxSearch).join('').trim() || undefined

/** A text after the replacement, and the number of matches. */
export function replaceIn(text: string, { find, replaceWith, matchCase }: Replacement) {
  let matches = 0
  const pattern = new RegExp(find.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), matchCase ? 'gu' : 'giu')
  // A function, because a text could have signs such as $&.
  const after = text.replace(pattern, () => {
    matches++
    return replaceWith
  })
  return { matches, after }
}
