/** Returns the position of a caret after the text before or after it has changed. */
export function caretAfter(before: string, after: string, at: number): number {
  if (after.startsWith(before.slice(0, at))) return at
  if (after.endsWith(before.slice(at))) return after.length - (before.length - at)
  return Math.min(at, after.length)
}
