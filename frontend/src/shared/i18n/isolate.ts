// Right-to-left letters, and the invisible characters that control the direction of the text after them.
const steers = /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC]|[\uD802\uD803\uD83A\uD83B]/
const opens = /[\u2066-\u2068]/
const close = '\u2069'
/** Paragraph separators, which end every isolation. */
const breaks = /[\u2028\u2029]/g

/**
 * Isolates user text within a sentence, so that the words around it keep their order. Text without direction controls is
 * returned unchanged. For text in its own element, the class panel-user-text does the same.
 */
export function isolate(text: string): string {
  if (!steers.test(text)) return text
  let depth = 0
  let balanced = ''
  for (const letter of text.replace(breaks, ' ')) {
    if (opens.test(letter)) depth++
    if (letter === close && depth-- === 0) {
      depth = 0 // it would end the surrounding isolation
      continue
    }
    balanced += letter
  }
  return `\u2068${balanced}${close.repeat(depth + 1)}`
}
