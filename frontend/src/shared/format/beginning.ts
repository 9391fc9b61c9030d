/** Returns the text, or its beginning with "…" if it has more than `most` UTF-16 units. It does not split a grapheme, such as a flag. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  const last = new Intl.Segmenter().segment(text.slice(0, most + 64)).containing(most)
  return `${text.slice(0, last?.index || most)}…`
}
