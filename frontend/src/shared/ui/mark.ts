/** No vowels, so that two letters never make a word. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const hues = 8

/** Two letters and one of eight hues, from 1, always the same for an ID. */
export function markOf(id: string): { letters: string; hue: number } {
  let hash = 0
  for (const letter of id) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0
  const part = (unit: number, size: number) => Math.floor(hash / unit) % size
  const first = part(hues, letters.length)
  const second = part(hues * letters.length, letters.length)
  return { letters: letters.charAt(first) + letters.charAt(second), hue: part(1, hues) + 1 }
}
