const hues = 8

/** The first letter of an agent's name, and one of eight hues, from 1: the same for a name wherever it stands. */
export function markOf(name: string): { letter: string; hue: number } {
  const text = name.normalize('NFC')
  // One code point only: any number of accents may follow it.
  const [found = '•'] = /[\p{L}\p{N}]/u.exec(text) ?? /\p{Extended_Pictographic}/u.exec(text) ?? []
  const [letter = found] = found.toLocaleUpperCase()
  let hash = 0
  for (const unit of text) hash = (Math.imul(hash, 31) + (unit.codePointAt(0) ?? 0)) >>> 0
  // The lowest bits are those of the last letters alone.
  return { letter, hue: (((hash ^ (hash >>> 15)) >>> 0) % hues) + 1 }
}
