/** The lines of a text that say something, such as the questions of an answer. */
export const linesOf = (text: string) =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter(Boolean)
