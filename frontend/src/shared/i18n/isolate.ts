// Right-to-left letters, and the invisible characters that steer the direction of what follows them.
const steers = /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC]|[\uD802\uD803\uD83A\uD83B]/
const opens = /[\u2066-\u2068]/
const close = '\u2069'
/** They end a paragraph, and with it whatever was isolated in it. */
const breaks = /[\u2028\u2029]/g

/**
 * A stranger's text as part of a sentence: whatever it is made of, the words around it keep their order. Text that cannot steer
 * comes back as it is. Where the text has an element of its own, the class panel-user-text does the same.
 */
export function isolate(text: string): string {
  if (!steers.test(text)) return text
  let depth = 0
  let balanced = ''
  for (const letter of text.replace(breaks, ' ')) {
    if (opens.test(letter)) depth++
    if (letter === close && depth-- === 0) {
      depth = 0 // it would end the isolation around it
      continue
    }
    balanced += letter
  }
  return `\u2068${balanced}${close.repeat(depth + 1)}`
}
