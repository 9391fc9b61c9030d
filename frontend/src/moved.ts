import moved from './moved.json'

/** Where the page of an old address is now: moved.json lists them all. Nothing for an address that has not moved. */
export function movedTo(pathname: string): string | undefined {
  const parts = pathname.replace(/(?<=.)\/$/, '').split('/')
  for (const [old, now] of Object.entries(moved)) {
    const names = old.split('/')
    if (names.length !== parts.length || names.some((name, at) => name !== '$id' && name !== parts[at])) continue
    return now.replaceAll('$id', () => parts[names.indexOf('$id')] ?? '')
  }
  return undefined
}
