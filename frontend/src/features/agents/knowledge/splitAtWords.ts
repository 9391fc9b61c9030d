/** Scripts that are written without spaces, and Hangul, whose particles join the word: their terms are parts of words. */
const joined = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Cuts a text where it has one of the words, as a whole word and in whatever case. Every second piece is a word. */
export function splitAtWords(text: string, words: readonly string[]): string[] {
  const patterns = words
    .filter(Boolean)
    .toSorted((a, b) => b.length - a.length)
    .map((word) =>
      joined.test(word) ? escaped(word) : `(?<![\\p{L}\\p{M}\\p{N}])${escaped(word)}(?![\\p{L}\\p{M}\\p{N}])`,
    )
  if (patterns.length === 0) return [text]
  return text.split(new RegExp(`(${patterns.join('|')})`, 'giu'))
}
